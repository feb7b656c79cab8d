// Words on the stage. Pure.

/** What to do with this scene, in three or four words. */
export function hintFor(scene) {
  if (!scene) return "";
  const kinds = (kind) => scene.bodies.filter((b) => b.kind === kind && b.points > 0);
  const plates = kinds("plate"), strings = kinds("string"), modal = kinds("modal");
  if (scene.links.some((l) => l.kind === "bow" && /bow/.test(l.name))) return "Draw the bow, or touch the string";
  if (strings.length && !plates.length) return strings.length > 1 ? "Touch the strings" : "Touch the string";
  if (plates.length) return `Tap the ${/^plate\d*$/.test(plates[0].name) ? "plate" : plates[0].name.replace(/\d+$/, "")}`;
  if (modal.length) return `Tap the ${modal[0].name.replace(/\d+$/, "")}`;
  const mass = kinds("mass").find((b) => !b.driven);
  return mass ? `Pull ${/^mass\d*$/.test(mass.name) ? "a mass" : `a ${mass.name.replace(/\d+$/, "")}`} and let it go` : "Play the scene";
}

/** What a scene is, from its first comment: "-- Title: what happens", one line or a sentence; "" where it is long. */
export function leadOf(text) {
  const block = /^(?:\s*--[^\n]*\n?)+/.exec(text || "")?.[0] ?? "", lines = block.split("\n").map((line) => line.replace(/^\s*--+\s*/, "").trim()).filter(Boolean);
  if (!lines.length) return "";
  const alone = lines.length === 1 || (!/\.$/.test(lines[0]) && /^[A-Z]/.test(lines[1]) && lines[0].includes(":")), all = alone ? lines[0] : lines.join(" ");
  const sentence = alone ? all : /^.*?[.](?=\s|$)/.exec(all)?.[0] ?? all, colon = sentence.indexOf(":");
  const said = (colon > 0 && colon < 48 ? sentence.slice(colon + 1) : sentence).trim();
  return said.length > 130 || said.length < 8 ? "" : said[0].toUpperCase() + said.slice(1);
}

/** What the wake button says; "": it is not needed. */
export function stateWords(state) {
  return { suspended: "The browser holds the sound back: tap here to hear it", failed: "Try to start the sound again" }[state] ?? "";
}

/** An error of a scene: its line first, told once. "note C2: snare.lua:5: plate ..." becomes "Line 5: note C2: plate ...". */
export function errorWords({ text, line }) {
  if (!line) return text;
  const at = text.indexOf(`:${line}: `), note = /^note [^:]*: /.exec(text)?.[0] ?? "";
  return `Line ${line}: ${at < 0 ? text : note + text.slice(at + `:${line}: `.length)}`;
}
