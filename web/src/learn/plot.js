// Curves over time as SVG, drawn again whenever the place has another width.

const NS = "http://www.w3.org/2000/svg",
    LEFT = 52,
    BOTTOM = 20,
    TOP = 8;

/** Round numbers between two ends, about `count` of them. */
export function ticks(from, to, count = 4) {
    if (!(to > from)) return [from];
    const raw = (to - from) / count,
        power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((n) => n * power).find((s) => s >= raw);
    const list = [];
    for (let n = Math.ceil(from / step - 1e-9); n * step <= to + step * 1e-9; n++)
        list.push(Number((n * step).toPrecision(10)));
    return list;
}

/** A path through values; of more values than columns the least and largest of each column. */
export function pathOf(values, x, y, columns) {
    const parts = [];
    if (values.length <= 2 * columns) values.forEach((v, i) => parts.push(`${x(i).toFixed(1)} ${y(v).toFixed(1)}`));
    else
        for (let c = 0; c < columns; c++) {
            const from = Math.floor((c * values.length) / columns),
                to = Math.floor(((c + 1) * values.length) / columns);
            let low = Infinity,
                high = -Infinity;
            for (let i = from; i < to; i++) {
                low = Math.min(low, values[i]);
                high = Math.max(high, values[i]);
            }
            parts.push(`${x(from).toFixed(1)} ${y(low).toFixed(1)}`);
            if (high !== low) parts.push(`${x(from).toFixed(1)} ${y(high).toFixed(1)}`);
        }
    return `M${parts.join("L")}`;
}

function node(tag, attributes, text = "") {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
}

const short = (value) =>
    Math.abs(value) >= 1e4 || (value !== 0 && Math.abs(value) < 1e-3)
        ? value.toExponential(0).replace("e+", "e")
        : String(Number(value.toPrecision(4)));

/** curve: {title, unit, lines, marks, zero, range, colour}; labels: one a line; seconds: length of the axis. */
export function drawPlot(place, curve, { labels, seconds, dots = false }) {
    const width = Math.max(260, place.clientWidth),
        height = 190;
    let low = Infinity,
        high = -Infinity;
    for (const line of curve.lines)
        for (const v of line) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
    for (const mark of curve.marks ?? []) [low, high] = [Math.min(low, mark.at), Math.max(high, mark.at)];
    if (curve.range) [low, high] = curve.range;
    if (curve.zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    if (!(high > low)) [low, high] = [low - 1 || -1, high + 1 || 1];
    const pad = 0.06 * (high - low);
    [low, high] = [low - pad, high + pad];
    const y = (v) => TOP + ((high - v) / (high - low)) * (height - TOP - BOTTOM),
        inner = width - LEFT - 6;
    const svg = node("svg", {
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: "img",
        "aria-label": `${curve.title}, ${curve.unit}, over time: ${labels.join(", ")}`,
    });
    for (const t of ticks(low, high)) {
        svg.append(
            node("line", { class: t === 0 ? "axis" : "grid", x1: LEFT, x2: width - 6, y1: y(t), y2: y(t) }),
            node("text", { x: LEFT - 6, y: y(t) + 4, "text-anchor": "end" }, short(t)),
        );
    }
    const ms = seconds < 0.5;
    for (const t of ticks(0, seconds * (ms ? 1000 : 1), 5)) {
        const x = LEFT + (t / (seconds * (ms ? 1000 : 1))) * inner;
        svg.append(
            node(
                "text",
                { x, y: height - 4, "text-anchor": x > width - 30 ? "end" : "middle" },
                `${short(t)}${t === 0 ? (ms ? " ms" : " s") : ""}`,
            ),
        );
    }
    for (const mark of curve.marks ?? [])
        svg.append(
            node("line", { class: "mark", x1: LEFT, x2: width - 6, y1: y(mark.at), y2: y(mark.at) }),
            node("text", { x: width - 8, y: y(mark.at) - 5, "text-anchor": "end", class: "mark" }, mark.label),
        );
    // The first lies on top.
    curve.lines
        .map((values, i) => [values, i])
        .reverse()
        .forEach(([values, i]) => {
            if (!values.length) return;
            const x = (n) => LEFT + (n / Math.max(1, values.length - 1)) * inner;
            svg.append(
                node("path", {
                    class: `line line${i + (curve.colour ?? 0)}`,
                    d: pathOf(values, x, y, Math.floor(inner)),
                }),
            );
            if (dots)
                values.forEach((v, n) =>
                    svg.append(node("circle", { class: `line${i + (curve.colour ?? 0)}`, cx: x(n), cy: y(v), r: 2.5 })),
                );
        });
    place.replaceChildren(svg);
}
