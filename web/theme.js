// Light or dark as it was chosen last, before anything is drawn. A file, so that a Content-Security-Policy may forbid scripts
// within the page.
try {
    const theme = localStorage.getItem("sistrum-theme");
    if (theme) document.documentElement.dataset.theme = theme;
} catch { /* no storage: as the machine has it */ }
