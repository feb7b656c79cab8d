// Where a place in a scene is: which word's table, at a key or at the value of a key. For completion and help.

const TOKEN = new RegExp(
    [
        "(?<comment>--\\[(?<c>=*)\\[[\\s\\S]*?(?:\\]\\k<c>\\]|$)|--[^\\n]*)",
        "(?<text>\\[(?<t>=*)\\[[\\s\\S]*?(?:\\]\\k<t>\\]|$)|\"(?:\\\\[\\s\\S]|[^\"\\\\\\n])*\"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?)",
        "(?<number>0[xX][\\da-fA-F.]+|(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)",
        "(?<name>[A-Za-z_]\\w*)",
        "(?<sign>==|~=|<=|>=|\\.\\.\\.?|[^\\s])",
    ].join("|"),
    "g",
);

/** Tokens of a Lua text: {kind, text, from, to}. */
export function* tokens(text) {
    TOKEN.lastIndex = 0;
    for (const found of text.matchAll(TOKEN)) {
        const g = found.groups;
        const kind =
            g.comment !== undefined
                ? "comment"
                : g.text !== undefined
                  ? "text"
                  : g.number !== undefined
                    ? "number"
                    : g.name !== undefined
                      ? "name"
                      : "sign";
        yield { kind, text: found[0], from: found.index, to: found.index + found[0].length };
    }
}

const OPEN = { "{": "}", "(": ")", "[": "]" };

/** What follows `{`: whose table it is. `before` are the last two tokens, `inside` the table around it. */
function opened(before, inside, known) {
    const [last, one] = before;
    const isCall =
        last?.kind === "name" && known.has(last.text)
            ? last
            : last?.text === "(" && one?.kind === "name" && known.has(one.text)
              ? one
              : null;
    if (isCall) return { word: isCall.text, path: [] };
    if (!inside?.word) return { word: null, path: [] };
    return { word: inside.word, path: inside.key ? [...inside.path, inside.key] : inside.path };
}

/** A text that is not closed, or whose end is `pos`, is still being written. */
function isOpenText(token, pos) {
    if (pos < token.to) return true;
    const quote = token.text[0];
    return (
        pos === token.to &&
        (quote === "[" ? !/\]=*\]$/.test(token.text) : token.text.length < 2 || token.text.at(-1) !== quote)
    );
}

function step(frames, token, before, known) {
    const top = frames.at(-1);
    if (token.text in OPEN && token.kind === "sign") {
        const frame = {
            close: OPEN[token.text],
            keys: new Set(),
            key: null,
            table: token.text === "{",
            word: null,
            path: [],
        };
        if (frame.table)
            Object.assign(
                frame,
                opened(
                    before,
                    frames.findLast((f) => f.table),
                    known,
                ),
            );
        frames.push(frame);
    } else if (token.kind === "sign" && top && token.text === top.close) {
        frames.pop();
    } else if (top?.table && token.kind === "sign" && (token.text === "," || token.text === ";")) {
        top.key = null;
        top.filled = false;
    } else if (top?.table && token.text === "=" && before[0]?.kind === "name" && !top.key) {
        top.key = before[0].text;
        top.keys.add(top.key);
    } else if (top?.table) {
        top.filled = true;
    }
}

/**
 * The place `pos` of a scene. `known`: words of the scene language.
 * {at: "comment" | "text" | "key" | "value" | "top", word, path, key, from, prefix, keys, quote}
 */
export function contextAt(text, pos, known) {
    const frames = [];
    let before = [];
    for (const token of tokens(text)) {
        if (token.from >= pos) break;
        const within = pos <= token.to;
        if (token.kind === "comment") {
            const closed = /^--\[(=*)\[[\s\S]*\]\1\]$/.test(token.text);
            if (within && (pos < token.to || !closed)) return { at: "comment", word: null };
            continue;
        }
        if (within && token.kind === "text" && isOpenText(token, pos)) {
            const top = frames.at(-1);
            return {
                ...place(top, frames),
                at: "text",
                from: token.from + 1,
                prefix: text.slice(token.from + 1, pos),
                quote: token.text[0],
            };
        }
        if (within && token.kind === "name") {
            const top = frames.at(-1),
                field = before[0]?.text === "." || before[0]?.text === ":";
            return {
                ...place(top, frames),
                from: token.from,
                prefix: text.slice(token.from, pos),
                field: field ? before[1]?.text : null,
            };
        }
        if (within && token.kind === "number" && pos <= token.to) return { at: "number", word: null };
        step(frames, token, before, known);
        before = [token, before[0]];
    }
    const top = frames.at(-1),
        field = before[0]?.text === ".";
    return { ...place(top, frames), from: pos, prefix: "", field: field ? before[1]?.text : null };
}

function place(top, frames) {
    if (!top) return { at: "top", word: null, path: [], key: null, keys: new Set() };
    if (!top.table) {
        const around = frames.findLast((f) => f.table);
        return {
            at: around?.word ? "value" : "top",
            word: around?.word ?? null,
            path: around?.path ?? [],
            key: around?.key ?? null,
            keys: new Set(),
            inner: true,
        };
    }
    return {
        at: top.key || (top.filled && !top.word) ? "value" : "key",
        word: top.word,
        path: top.path,
        key: top.key,
        keys: top.keys,
    };
}

/** Names that a scene gives: locals, and those of params and inputs (with what they are). */
export function namesIn(text) {
    const locals = [],
        knobs = [];
    const all = [...tokens(text)].filter((t) => t.kind !== "comment");
    for (let i = 0; i < all.length; i++) {
        const t = all[i];
        if (t.kind !== "name") continue;
        if (t.text === "local") {
            let j = i + 1;
            if (all[j]?.text === "function") {
                if (all[j + 1]) locals.push(all[j + 1].text);
                continue;
            }
            const named = [];
            for (; all[j]?.kind === "name"; j += 2) {
                named.push(all[j].text);
                if (all[j + 1]?.text !== ",") break;
            }
            locals.push(...named);
        } else if (
            (t.text === "param" || t.text === "input") &&
            all[i + 1]?.text === "{" &&
            all[i + 2]?.kind === "text"
        ) {
            knobs.push({ name: all[i + 2].text.slice(1, -1), kind: t.text });
        }
    }
    return { locals: [...new Set(locals)], knobs };
}

/** Keys that a word's table may have at this place: those of the word, or of a table inside of it. */
export function keysAt(schema, context) {
    const word = schema.words.find((w) => w.word === context.word);
    if (!word) return [];
    if (!context.path.length) return word.keys.filter((k) => /^[A-Za-z_]\w*$/.test(k.key) && k.key !== "NAME");
    return word.parts?.[context.path[0]] ?? [];
}

/** What the word or key under a place is: {word} or {word, key}, or null. */
export function thingAt(text, pos, schema) {
    const known = new Set(schema.words.map((w) => w.word));
    const around = [...tokens(text)].filter((t) => t.kind !== "comment");
    const i = around.findIndex((t) => t.kind === "name" && t.from <= pos && pos <= t.to);
    if (i < 0) return null;
    const token = around[i],
        next = around[i + 1]?.text;
    if (known.has(token.text) && (next === "{" || next === "("))
        return { from: token.from, to: token.to, word: schema.words.find((w) => w.word === token.text), key: null };
    if (next !== "=") return null;
    const context = contextAt(text, token.to, known);
    if (context.at !== "key") return null;
    const key = keysAt(schema, context).find((k) => k.key === token.text);
    return key
        ? { from: token.from, to: token.to, word: schema.words.find((w) => w.word === context.word), key }
        : null;
}

/** "N/m, 0 to 1e20, default 0, live": what a key takes, in one line. */
export function keyLine(key) {
    const range = key.words.length
        ? key.words.map((w) => `"${w}"`).join(", ") +
          (/, or /.test(key.range) ? key.range.slice(key.range.indexOf(", or ")) : "")
        : key.range;
    const spelled = key.unit && key.range.includes(` ${key.unit}`);
    const parts = [range + (key.unit && !spelled ? ` ${key.unit}` : "")];
    if (key.needed) parts.push("needed");
    else if (key.default) parts.push(`default ${key.default.replaceAll('"', "")}`);
    if (key.live) parts.push("live");
    return parts.join(" · ");
}
