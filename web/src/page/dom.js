// Elements in one line: el("button", { class: "main", onclick: f }, "Play").

/** @returns {HTMLElement} */
export function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (name === "value" || name === "checked" || name === "disabled") node[name] = value;
        else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
    return node;
}

/** Hands a file to the user. */
export function save(bytes, name, type = "application/octet-stream") {
    const url = URL.createObjectURL(new Blob([bytes], { type }));
    const link = el("a", { href: url, download: name, hidden: true });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Copies a text; false where the browser does not let us. */
export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = el("textarea", { style: "position:fixed;opacity:0", "aria-hidden": "true" });
        area.value = text;
        document.body.append(area);
        area.select();
        let done = false;
        try {
            done = document.execCommand("copy");
        } catch {
            /* not allowed */
        }
        area.remove();
        return done;
    }
}
