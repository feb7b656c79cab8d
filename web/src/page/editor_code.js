// CodeMirror 6 with the language of scenes: colours, completion and help from the schema, errors at their line.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
    HighlightStyle,
    StreamLanguage,
    bracketMatching,
    indentOnInput,
    syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Transaction } from "@codemirror/state";
import {
    EditorView,
    drawSelection,
    highlightActiveLine,
    highlightActiveLineGutter,
    hoverTooltip,
    keymap,
    lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { contextAt, keyLine, keysAt, namesIn, thingAt } from "./editor_context.js";
import { el } from "./dom.js";
import { fetched } from "./scenes_open.js";

// ---------------------------------------------------------------------------- colours

const KEYWORDS = new Set(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split(
        " ",
    ),
);
const MATH =
    "abs acos asin atan ceil cos exp floor fmod huge log max min modf pi sin sqrt tan tointeger type ult".split(" ");

/** A stream parser of Lua: what is coloured as in the gallery. */
function lua(words) {
    const long = (close, style) => (stream, state) => {
        while (!stream.eol()) {
            if (stream.match(close)) {
                state.within = null;
                return style;
            }
            stream.next();
        }
        return style;
    };
    return {
        name: "scene",
        startState: () => ({ within: null, depth: 0 }),
        token(stream, state) {
            if (state.within) return state.within(stream, state);
            if (stream.eatSpace()) return null;
            let found = stream.match(/^--\[(=*)\[/);
            if (found) return (state.within = long(`]${found[1]}]`, "comment"))(stream, state);
            if (stream.match("--")) {
                stream.skipToEnd();
                return "comment";
            }
            found = stream.match(/^\[(=*)\[/);
            if (found) return (state.within = long(`]${found[1]}]`, "string"))(stream, state);
            if (stream.match(/^"(?:\\.|[^"\\])*"?/) || stream.match(/^'(?:\\.|[^'\\])*'?/)) return "string";
            if (stream.match(/^(?:0[xX][\da-fA-F.]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/)) return "number";
            found = stream.match(/^[A-Za-z_]\w*/);
            if (found) {
                if (KEYWORDS.has(found[0])) return "keyword";
                return words.has(found[0]) && stream.match(/^\s*[{("]/, false) ? "typeName" : "variableName";
            }
            const sign = stream.next();
            if ("{(".includes(sign)) state.depth++;
            if ("})".includes(sign)) state.depth = Math.max(0, state.depth - 1);
            return null;
        },
        indent: (state, rest, context) => context.unit * Math.max(0, state.depth - (/^[})]/.test(rest) ? 1 : 0)),
        languageData: { commentTokens: { line: "--" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
        copyState: (state) => ({ ...state }),
    };
}

const colours = HighlightStyle.define([
    { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: tags.string, color: "var(--lua-s)" },
    { tag: tags.number, color: "var(--lua-n)" },
    { tag: tags.keyword, color: "var(--lua-k)" },
    { tag: tags.typeName, color: "var(--lua-w)", fontWeight: "600" },
]);

const look = EditorView.theme({
    "&": { color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "0.84rem" },
    "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
    ".cm-scroller": {
        fontFamily: 'ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
        lineHeight: "1.5",
    },
    ".cm-content": { caretColor: "var(--accent)" },
    ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
    ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        background: "color-mix(in srgb, var(--accent) 26%, transparent)",
    },
    ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 16%, transparent)" },
    ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--kinetic) 25%, transparent) !important" },
    ".cm-tooltip": {
        backgroundColor: "var(--card)",
        color: "var(--ink)",
        border: "1px solid var(--line)",
        borderRadius: "8px",
        boxShadow: "0 4px 18px #0003",
    },
    ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--paper)" },
    ".cm-completionDetail": { fontStyle: "normal", color: "var(--soft)" },
    "li[aria-selected] .cm-completionDetail": { color: "inherit" },
    ".cm-lintRange-error": {
        backgroundImage: "none",
        textDecoration: "underline wavy var(--bad) 1px",
        textUnderlineOffset: "3px",
    },
    ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
    ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)" },
});

// ---------------------------------------------------------------------------- completion and help

function keyHelp(word, key) {
    return el(
        "div",
        { class: "help" },
        el("p", {}, el("code", {}, key.key), " of ", el("code", {}, `${word.word}{}`)),
        el("p", { class: "takes" }, keyLine(key)),
        el("p", {}, key.about),
    );
}

function wordHelp(word) {
    const needed = word.keys.filter((k) => k.needed).map((k) => k.key);
    return el(
        "div",
        { class: "help" },
        el("p", {}, el("code", {}, `${word.word}{}`), " ", word.about),
        needed.length ? el("p", { class: "takes" }, `needs ${needed.join(", ")}`) : null,
        el("pre", {}, word.example.trimEnd()),
    );
}

const keyOption = (word, key) => ({
    label: key.key,
    type: "property",
    apply: `${key.key} = `,
    detail: [key.unit, key.needed ? "needed" : ""].filter(Boolean).join(", "),
    info: () => keyHelp(word, key),
    boost: key.needed ? 2 : 0,
});

function valueOptions(schema, context, names, quoted) {
    const key = keysAt(schema, context).find((k) => k.key === context.key);
    const quote = (text) => (quoted ? text : `"${text}"`);
    const options = (key?.words ?? []).map((w) => ({ label: quote(w), type: "enum" }));
    if (
        /^name of/.test(key?.range ?? "") ||
        /courses|cc/.test(context.path[0] ?? "") ||
        ["sound", "cc"].includes(context.key)
    )
        options.push(...names.knobs.map((k) => ({ label: quote(k.name), type: "variable", detail: k.kind })));
    if (quoted) return options;
    if (key?.range === "true or false")
        options.push({ label: "true", type: "keyword" }, { label: "false", type: "keyword" });
    if (/"ground"/.test(key?.about ?? "")) options.push({ label: '"ground"', type: "enum" });
    options.push(...names.locals.map((name) => ({ label: name, type: "variable", boost: -1 })), {
        label: "math",
        type: "namespace",
        boost: -2,
    });
    return options;
}

/** Files of the library, where the text at `from` is what use{} takes; null elsewhere. */
function fileOptions(schema, text, from) {
    if (!/\buse\s*[({]?\s*$/.test(text.slice(Math.max(0, from - 20), from - 1))) return null;
    const range = schema.words.find((w) => w.word === "use")?.keys[0]?.range ?? "";
    return (range.match(/[^", ]+/g) ?? []).map((label) => ({ label, type: "enum" }));
}

function topOptions(schema, names) {
    return [
        ...schema.words.map((w) => ({
            label: w.word,
            type: "class",
            apply: `${w.word} { `,
            detail: w.about,
            info: () => wordHelp(w),
        })),
        ...names.locals.map((name) => ({ label: name, type: "variable", boost: -1 })),
        ...[...KEYWORDS].map((k) => ({ label: k, type: "keyword", boost: -2 })),
        { label: "math", type: "namespace", boost: -2 },
    ];
}

const LARGE = 200000; // characters of a text in which nothing is looked for at every stroke

/** What may stand at a place: {from, options}, or null. */
export function completions(text, pos, schema, explicit) {
    if (text.length > LARGE) return null;
    const known = new Set(schema.words.map((w) => w.word));
    const context = contextAt(text, pos, known);
    if (context.at === "comment" || context.at === "number") return null;
    if (context.field)
        return context.field === "math"
            ? { from: context.from, options: MATH.map((label) => ({ label, type: "function" })) }
            : null;
    const names = namesIn(text);
    if (context.at === "text") {
        const options =
            fileOptions(schema, text, context.from) ?? valueOptions(schema, context, names, true);
        return options.length ? { from: context.from, options } : null;
    }
    if (context.at === "key" && context.word) {
        if (!explicit && !context.prefix && !/[{,;]\s*$/.test(text.slice(Math.max(0, pos - 40), pos))) return null;
        const word = schema.words.find((w) => w.word === context.word);
        const options =
            context.word === "preset" && !context.path.length
                ? names.knobs.map((k) => ({ label: k.name, type: "property", apply: `${k.name} = `, detail: k.kind }))
                : keysAt(schema, context)
                      .filter((k) => !context.keys.has(k.key))
                      .map((k) => keyOption(word, k));
        if (options.length) return { from: context.from, options };
    }
    if (
        !explicit &&
        !context.prefix &&
        !(
            context.at === "value" &&
            context.key &&
            keysAt(schema, context).find((k) => k.key === context.key)?.words.length
        )
    )
        return null;
    if (context.at === "top") return { from: context.from, options: topOptions(schema, names) };
    return { from: context.from, options: valueOptions(schema, context, names, false) };
}

const complete = (schema) => (context) => {
    const found = completions(context.state.doc.toString(), context.pos, schema, context.explicit);
    return found ? { ...found, validFor: /^[\w/-]*$/ } : null;
};

const hover = (schema) =>
    hoverTooltip(
        (view, pos) => {
            if (view.state.doc.length > LARGE) return null;
            const thing = thingAt(view.state.doc.toString(), pos, schema);
            if (!thing) return null;
            return {
                pos: thing.from,
                end: thing.to,
                above: true,
                create: () => ({ dom: thing.key ? keyHelp(thing.word, thing.key) : wordHelp(thing.word) }),
            };
        },
        { hoverTime: 250 },
    );

// ---------------------------------------------------------------------------- the editor

/** {open(text), put(text), mark(error), view}: an editor in `place`; on.changed(text), on.now() tell what the user does. */
export async function make(place, text, on) {
    const schema = await fetched("schema.json").catch(() => ({ words: [] }));
    const words = new Set(schema.words.map((w) => w.word));
    let quiet = false; // set by the page, not by a hand
    const stateOf = (doc) =>
        EditorState.create({
            doc,
            extensions: [
                lineNumbers(),
                lintGutter(),
                highlightActiveLine(),
                highlightActiveLineGutter(),
                history(),
                drawSelection(),
                indentOnInput(),
                bracketMatching(),
                closeBrackets(),
                highlightSelectionMatches(),
                StreamLanguage.define(lua(words)),
                syntaxHighlighting(colours),
                look,
                autocompletion({
                    override: [complete(schema)],
                    activateOnTypingDelay: 60,
                    icons: false,
                    tooltipClass: () => "words",
                }),
                hover(schema),
                EditorState.tabSize.of(2),
                EditorView.lineWrapping,
                EditorView.contentAttributes.of({
                    "aria-label": "Text of the scene",
                    spellcheck: "false",
                    autocorrect: "off",
                    autocapitalize: "off",
                }),
                keymap.of([
                    { key: "Mod-Enter", run: () => (on.now(), true), preventDefault: true },
                    ...closeBracketsKeymap,
                    ...defaultKeymap,
                    ...searchKeymap,
                    ...historyKeymap,
                    ...completionKeymap,
                    indentWithTab,
                ]),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !quiet) on.changed(update.state.doc.toString());
                }),
            ],
        });
    const view = new EditorView({ parent: place, state: stateOf(text) });
    return {
        view,
        /** Another scene: undo does not lead out of it. */
        open: (next) => view.setState(stateOf(next)),
        /** Another text of the same scene. It can be undone like a change of the user's. */
        put(next) {
            const now = view.state.doc.toString();
            if (now === next) return;
            quiet = true;
            view.dispatch({ changes: changeOf(now, next), annotations: Transaction.userEvent.of("input.load") });
            quiet = false;
        },
        /** The program's sentence at its line; null: none. */
        mark(error) {
            const { doc } = view.state;
            if (!error) return view.dispatch(setDiagnostics(view.state, []));
            const line = doc.line(Math.min(doc.lines, Math.max(1, error.line || 1)));
            const from = line.from + (line.text.length - line.text.trimStart().length);
            view.dispatch(
                setDiagnostics(view.state, [
                    { from: Math.min(from, line.to), to: line.to, severity: "error", message: error.text },
                ]),
            );
        },
    };
}

/** The smallest change that makes `after` of `before`: ends that are the same stay. */
export function changeOf(before, after) {
    const most = Math.min(before.length, after.length);
    let head = 0,
        tail = 0;
    while (head < most && before[head] === after[head]) head++;
    while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
    return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
