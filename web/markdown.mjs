// The Markdown of docs/tutorial as HTML: headings, paragraphs, lists, tables, code, pictures, links, bold.

const escape = (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Words inside a line. link(target) gives an address, or null: then only the words stay. */
export function inline(text, link) {
    const kept = [];
    const keep = (html) => `\u0000${kept.push(html) - 1}\u0000`;
    let out = text.replace(/`([^`]+)`/g, (_, code) => keep(`<code>${escape(code)}</code>`));
    out = out.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, target) => {
        const to = link(target),
            said = inline(words, () => null);
        return keep(to ? `<a href="${escape(to)}">${said}</a>` : said);
    });
    out = escape(out)
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/\*([^*\s][^*]*)\*/g, "<em>$1</em>");
    for (let i = 0; i < 3; i++) out = out.replace(/\u0000(\d+)\u0000/g, (_, n) => kept[n]);
    return out;
}

function table(lines, link) {
    const cells = (line) =>
        line
            .replace(/^\||\|$/g, "")
            .split("|")
            .map((cell) => inline(cell.trim(), link));
    const row = (line, tag) =>
        `<tr>${cells(line)
            .map((cell) => `<${tag}>${cell}</${tag}>`)
            .join("")}</tr>`;
    return `<table><thead>${row(lines[0], "th")}</thead><tbody>${lines
        .slice(2)
        .map((line) => row(line, "td"))
        .join("")}</tbody></table>`;
}

/** Parts of a page, in order: {html} or {code, language, name}. What follows ``` is the language, + and a file's name. */
export function parts(markdown, link = () => null) {
    const out = [],
        lines = markdown.split("\n");
    const html = (text) => (out.at(-1)?.html !== undefined ? (out.at(-1).html += text) : out.push({ html: text }));
    for (let i = 0; i < lines.length;) {
        const line = lines[i];
        const fence = /^```(\w*)(.*)$/.exec(line),
            heading = /^(#+) (.*)$/.exec(line),
            picture = /^!\[([^\]]*)\]\(([^)]+)\)$/.exec(line);
        if (fence) {
            const end = lines.indexOf("```", i + 1);
            out.push({
                code: lines.slice(i + 1, end).join("\n"),
                language: fence[1],
                name: /(\S+\.lua)/.exec(fence[2])?.[1] ?? "",
                more: fence[2].includes("+"),
            });
            i = end + 1;
        } else if (heading) {
            html(`<h${heading[1].length}>${inline(heading[2], link)}</h${heading[1].length}>`);
            i++;
        } else if (picture) {
            out.push({ picture: picture[2], words: picture[1] });
            i++;
        } else if (line.startsWith("|")) {
            const from = i;
            while (lines[i]?.startsWith("|")) i++;
            html(table(lines.slice(from, i), link));
        } else if (/^- /.test(line)) {
            const items = [];
            for (; i < lines.length && lines[i].trim() && !/^[#`!|]/.test(lines[i]); i++) {
                if (/^- /.test(lines[i])) items.push(lines[i].slice(2));
                else items[items.length - 1] += ` ${lines[i].trim()}`;
            }
            html(`<ul>${items.map((item) => `<li>${inline(item, link)}</li>`).join("")}</ul>`);
        } else if (line.trim()) {
            const words = [];
            for (; i < lines.length && lines[i].trim() && !/^(```|#|- |\||!\[)/.test(lines[i]); i++)
                words.push(lines[i].trim());
            html(`<p>${inline(words.join(" "), link)}</p>`);
        } else i++;
    }
    return out;
}
