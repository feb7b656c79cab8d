// The panels: tabs beside each other on a wide screen, sheets from the bottom on a phone.

const PANELS = [
  { key: "knobs", title: "Knobs", load: () => import("./knobs.js").catch(missing) },
  { key: "keys", title: "Keys", load: () => import("./keyboard.js").catch(missing) },
  { key: "see", title: "See" },
  { key: "code", title: "Code", load: () => import("./editor.js").catch(missing) },
  { key: "take", title: "Take away", load: () => import("./share.js").catch(missing), more: () => import("./takeaway.js").catch(missing) },
];
const missing = (error) => { console.warn(error.message); return null; };
const narrow = matchMedia("(max-width: 820px)"), wide = matchMedia("(min-width: 1100px)");

/** @param {object} app @param {(element: HTMLElement, app: object) => void} mountSee */
export function makePanels(app, mountSee) {
  const tabs = document.querySelector(".tabs"), room = document.querySelector(".panels");
  for (const panel of PANELS) {
    panel.tab = Object.assign(document.createElement("button"), { type: "button", id: `tab-${panel.key}`, textContent: panel.title });
    panel.tab.setAttribute("role", "tab");
    panel.tab.setAttribute("aria-controls", `panel-${panel.key}`);
    panel.tab.dataset.tab = panel.key;
    panel.element = Object.assign(document.createElement("section"), { id: `panel-${panel.key}`, className: `panel ${panel.key}`, hidden: true });
    panel.element.setAttribute("role", "tabpanel");
    panel.element.setAttribute("aria-labelledby", panel.tab.id);
    panel.tab.addEventListener("click", () => choose(narrow.matches && open === panel.key ? null : panel.key));
    tabs.append(panel.tab);
    room.append(panel.element);
  }
  const close = Object.assign(document.createElement("button"), { type: "button", className: "close sheet", textContent: "×" });
  close.setAttribute("aria-label", "Close the panel");
  close.addEventListener("click", () => { const was = open; choose(null); PANELS.find((p) => p.key === was)?.tab.focus(); });
  room.prepend(close);
  mountSee(PANELS.find((p) => p.key === "see").element, app);

  let open = null;
  async function fill(panel) {
    if (panel.filled || !panel.load) return;
    panel.filled = true;
    for (const load of [panel.load, panel.more]) {
      const module = load && (await load());
      if (load && !module) continue;
      if (!module) break;
      const part = document.createElement("section");
      panel.element.append(part);
      module.mount(part, app);
      if (app.scene) app.emit("mounted", panel.key);
    }
  }
  function choose(key) {
    open = key;
    for (const panel of PANELS) {
      const shown = panel.key === key || (panel.key === "see" && wide.matches);
      panel.element.hidden = !shown;
      panel.tab.setAttribute("aria-selected", String(panel.key === key));
      panel.tab.tabIndex = panel.key === key || (!key && panel.key === "knobs") ? 0 : -1;
      if (shown) fill(panel);
    }
    room.classList.toggle("open", !!key);
    document.documentElement.dataset.panel = key ?? "";
    app.emit("panel", key);
  }
  tabs.addEventListener("keydown", (e) => {
    const go = { ArrowRight: 1, ArrowLeft: -1 }[e.key], list = PANELS.filter((p) => p.tab.offsetParent);
    if (!go) return;
    e.preventDefault();
    const next = list[(list.findIndex((p) => p.tab === document.activeElement) + go + list.length) % list.length];
    next.tab.focus();
    choose(next.key);
  });
  const fit = () => choose(narrow.matches ? null : wide.matches && (open === "see" || !open) ? "knobs" : open ?? "knobs");
  narrow.addEventListener("change", fit);
  wide.addEventListener("change", fit);
  fit();
  app.openPanel = choose;
  addEventListener("keydown", (e) => { if (e.key === "Escape" && narrow.matches && open) choose(null); });
  // Panels listen to the scene: they are there before it is opened, all but the editor, which is large.
  const early = Promise.all(PANELS.filter((p) => p.key !== "code").map(fill));
  drawer(app);
  return early;
}

/** The menu of scenes. */
function drawer(app) {
  const dialog = document.querySelector("[data-drawer]"), element = dialog.querySelector("[data-scenes]");
  let filled = false;
  const show = async () => {
    if (!filled) {
      filled = true;
      const module = await import("./scenes.js").catch(missing);
      if (module) module.mount(element, app);
      else element.textContent = "The menu of scenes is not here.";
    }
    dialog.showModal();
  };
  for (const button of document.querySelectorAll('[data-open="scenes"]')) button.addEventListener("click", show);
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (e) => { if (e.key === "Escape") { e.preventDefault(); dialog.close(); } }); // also from the search box
  app.on("chosen", () => dialog.close());
  app.openScenes = show;
}
