"""Random wrong scenes: every error names the file, the line, the object and the key, in one clean line.

    wrong_scenes.py [COUNT [SEED]]     SISTRUM_LIBRARY is libsistrum-scene, SISTRUM_SOURCE the source folder

A scene is made of objects whose lines are known, or is a shipped one; then one thing in it is damaged, and what the
loader or sis_compile says is compared with what was damaged. With a seed of its own every scene can be made again:
a failure prints it.
"""

import collections
import ctypes
import os
import random
import re
import sys
import time
import unicodedata

SOURCE = os.environ.get("SISTRUM_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
FILE = "wrong.lua"
NASTY = ["\x85", "\x9b31m", "\u200b", "\u200e", "\u200f", "\u061c", "\u2028", "\u2029", "\u202a", "\u202b", "\u202e", "\u2066",
         "\u2069", "\ufeff", "\u2060"]

# What the damage should be found as. `line`, `object`, `key`: None is not known, "" is none. `sure`: it must be an error.
Wrong = collections.namedtuple("Wrong", "text line object key sure settings what")


def lua(text):
    """A text as Lua writes it."""
    return "'" + "".join(c if " " <= c <= "~" and c not in "'\\" else "".join("\\x%02x" % b for b in c.encode()) for c in text) + "'"


class Item:
    """One word of a scene: its keys in order, and how it is laid out."""

    def __init__(self, dice, word, variable="", **keys):
        self.word, self.variable, self.keys, self.line = word, variable, keys, 0
        self.layout = dice.choice(["line", "line", "lines", "loop", "helper"]) if word not in ("render", "param", "play") else "line"
        if variable and self.layout in ("loop",):
            self.layout = "line"
        self.spelt = word

    def label(self):
        name = self.keys.get("name")
        return "%s %s" % (self.word, name) if name else self.word

    def write(self, lines):
        """Appends its text; `line` is that of the word."""
        head = "local %s = " % self.variable if self.variable else ""
        pairs = ["%s = %s" % (k, v) if not k.startswith("_") else v for k, v in self.keys.items()]
        if self.layout == "lines":
            self.line = len(lines) + 1
            lines.append("%s%s{" % (head, self.spelt))
            for pair in pairs:
                lines.extend(("    " + pair + ",").split("\n"))
            lines.append("}")
        elif self.layout == "loop":
            lines.append("for turn = 1, 1 do")
            self.line = len(lines) + 1
            lines.extend(("    %s{ %s }" % (self.spelt, ", ".join(pairs))).split("\n"))
            lines.append("end")
        elif self.layout == "helper":
            lines.append("local function make_%d()" % len(lines))
            name = lines[-1][15:-2]
            self.line = len(lines) + 1
            lines.extend(("    return %s{ %s }" % (self.spelt, ", ".join(pairs))).split("\n"))
            lines.append("end")
            lines.append("%s%s()" % (head, name))
        else:
            self.line = len(lines) + 1
            lines.extend(("%s%s{ %s }" % (head, self.spelt, ", ".join(pairs))).split("\n"))


class Maker:
    """Scenes of its own, right ones, out of which damage makes wrong ones."""

    def __init__(self, dice):
        self.dice = dice
        self.items = []
        d = dice
        self.count = 0
        self.add("param", "hard", _name='"hard"', _value="%g" % d.uniform(2e5, 5e6), min="1e3", max="1e9", unit='"N/m"', scale='"log"')
        self.length = d.uniform(0.3, 1.2)
        self.add("string", "s", length="%.4f" % self.length, tension="%.2f" % d.uniform(40, 90), density="%.5f" % d.uniform(8e-4, 4e-3),
                 radius="%.2e" % d.uniform(1e-4, 4e-4), youngs="2e11", sigma0="%.2f" % d.uniform(0, 3), sigma1="%.1e" % d.uniform(1e-4, 3e-3),
                 **({"model": '"%s"' % d.choice(["fd", "implicit"])} if d.random() < 0.4 else {}))
        self.add("mass", "m", mass="%.4f" % d.uniform(1e-3, 0.1), frequency="%.1f" % d.uniform(20, 2000), position="%.2e" % d.uniform(0, 1e-2),
                 velocity="%.2f" % d.uniform(-2, 2), damping="%.1f" % d.uniform(0, 5))
        if d.random() < 0.6:
            self.add("plate", "p", size="{ %.3f, %.3f }" % (d.uniform(0.2, 0.5), d.uniform(0.2, 0.5)), thickness="%.2e" % d.uniform(2e-3, 4e-3),
                     material_density="7850", youngs="2e11", sigma0="1", sigma1="1e-3")
        if d.random() < 0.6:
            self.add("modal", "b", modes="{ { %.1f, %.2f, 0.02, 1 }, { %.1f, 0.5, 0.03, 0.5 } }" %
                     (d.uniform(80, 400), d.uniform(0.2, 2), d.uniform(500, 3000)))
        self.add("barrier", "w", height="%.2e" % d.uniform(-5e-3, -1e-3))
        self.add("barrier", "bridge", height="function(x) return -1e-3 - 1e-3 * x end")
        self.add("contact", "c", above="m", below="w", K="hard", alpha="%.2f" % d.uniform(1, 3), damping="0")
        self.add("contact", "", above="s", below="bridge", K="1e9", alpha="1.5")
        if self.has("plate"):
            self.add("spring", "", between="{ m, p }", at_b="{ 0.11, 0.07 }", K1="1e3", K3="1e5", damping="0.1")
        if self.has("modal"):
            self.add("bow", "", on="b", force="0.1", velocity="{ { 0, 0 }, { 0.1, 0.2 } }", curve="100")
        self.add("force", "", on="s", at="%.4f" % (0.3 * self.length), peak="1", width="1e-3", start="0")
        self.add("pluck", "", on="s", at="%.4f" % (0.4 * self.length), height="1e-3")
        self.add("gravity", "", g="9.81")
        self.add("probe", "", on="s", at="%.4f" % (0.2 * self.length), quantity='"velocity"', channel="1", gain="1")
        self.add("probe", "", on="m")
        self.add("render", "", rate="44100", duration="0.01", title='"wrong"', normalise="false")
        if d.random() < 0.4:
            self.add("param", "pitch", _name='"pitch"', _value="220", min="100", max="400", unit='"Hz"')
            self.add("play", "", pitch='"pitch"', velocity='"hard"', voices="4", tail="60")
        for item in self.items:  # names for most, odd ones for some
            if item.word in ("param", "play") or d.random() < 0.35:
                continue
            self.count += 1
            odd = d.choice(NASTY) if d.random() < 0.25 else ""
            item.keys["name"] = lua("n%d%s" % (self.count, odd) + d.choice(["", " x", "\u00b5", "\u97f3"]))

    def add(self, word, variable, **keys):
        self.items.append(Item(self.dice, word, variable, **keys))
        return self.items[-1]

    def has(self, word):
        return any(i.word == word for i in self.items)

    def pick(self, *words):
        found = [i for i in self.items if not words or i.word in words]
        return self.dice.choice(found) if found else None

    def text(self, before=None):
        """The whole scene; `before`: lines to insert before items, {item: [line, ...]}."""
        lines = ["-- a scene" for _ in range(self.dice.randrange(3))]
        self.inserted = {}
        for item in self.items:
            for line in (before or {}).get(item, []):
                self.inserted[item] = len(lines) + 1
                lines.append(line)
            item.write(lines)
        return "\n".join(lines) + "\n"


def clean_label(item):
    """The label with the name as sis_clean keeps it."""
    name = item.keys.get("name")
    if name is None:
        return item.word if item.word != "param" else "param '%s'" % item.keys["_name"].strip('"')
    raw = bytes(name[1:-1], "utf-8").decode("unicode_escape").encode("latin-1").decode("utf-8")
    return "%s '%s'" % (item.word, "".join(" " if c in "\x85\u2028\u2029" else "\ufffd" if c in "".join(NASTY) and c not in "31m" else c
                                           for c in raw))


FLAGS = {"tuned", "release", "clamp", "corrected", "rigid", "normalise"}


def numeric(item):
    return [k for k, v in item.keys.items() if not k.startswith("_") and v[:1] in "-0123456789" or v == "hard"]


# ---------------------------------------------------------------------------- damages

def finish(m, item, key, what, sure=True, label=None, settings=(), line=None):
    text = m.text()
    return Wrong(text, item.line if line is None else line, clean_label(item) if label is None else label, key, sure, list(settings), what)


def wrong_type(m):
    item = m.pick(*("mass string plate modal barrier contact spring bow force pluck gravity probe render".split()))
    key = m.dice.choice([k for k in item.keys if k != "name"])
    item.keys[key] = "3" if key in FLAGS else m.dice.choice(["true", "print_nothing or true", "function() end"] if key != "height" else ["true"])
    return finish(m, item, key, "wrong type")


def wrong_name(m):
    item = m.pick(*("mass string barrier contact force probe".split()))
    bad = m.dice.choice(["5", "true", "{}", lua("a\x1b[31mb"), lua("a\nb"), lua("x" * 64), "''", "'\\xff\\xfe'", "'a\\0b'", lua("\x7f")])
    item.keys["name"] = bad
    return finish(m, item, "name", "wrong name", label="?" + item.word)


def out_of_range(m):
    item = m.pick(*("mass string plate barrier contact spring bow force pluck gravity probe render".split()))
    keys = numeric(item)
    if not keys:
        return None
    key = m.dice.choice(keys)
    item.keys[key] = m.dice.choice(["-1e300", "1e300", "0/0", "1/0", "-1/0"])
    return finish(m, item, key, "out of range")


def unknown_key(m):
    item = m.pick()
    key = m.dice.choice([k for k in item.keys if not k.startswith("_")] or ["min"])
    typo = key + m.dice.choice("xyzq") if m.dice.random() < 0.5 or len(key) < 3 else key[:-1] + "q" + key[-1]
    if m.dice.random() < 0.2:
        typo = m.dice.choice(["Length", "at_left", "colour", "k9"])
    if m.dice.random() < 0.1:
        odd = "k" + m.dice.choice(NASTY)
        item.keys["[%s]" % lua(odd)] = "1"
        return finish(m, item, None, "unknown key", label=item.word if item.word == "param" else None)
    item.keys[typo] = "1"
    return finish(m, item, typo, "unknown key", label="param" if item.word == "param" else None)


def missing_key(m):
    needed = {"mass": ["mass"], "string": ["length", "tension", "density", "radius"], "plate": ["size", "thickness", "material_density"],
              "modal": ["modes"], "barrier": ["height"], "contact": ["above", "below", "K", "alpha"], "spring": ["between"],
              "bow": ["on", "force", "velocity"], "force": ["on", "at", "peak", "width"], "pluck": ["on", "at", "height"], "probe": ["on"]}
    item = m.pick(*needed)
    key = m.dice.choice(needed[item.word])
    if m.dice.random() < 0.3:
        item.keys[key] = "nil"
    else:
        del item.keys[key]
    return finish(m, item, None if key == "radius" else key, "missing key")


def wrong_reference(m):
    item = m.pick("contact", "force", "pluck", "probe", "bow")
    key = {"contact": m.dice.choice(["above", "below"])}.get(item.word, "on")
    item.keys[key] = m.dice.choice(["5", '"ground"', "nil_value and 1 or false", "{}", "nothing_there or 7"] +
                                   (["c"] if item.word in ("force", "pluck", "bow") and m.items.index(item) > 6 else []))
    return finish(m, item, key, "wrong reference")


def misspelt_word(m):
    item = m.pick()
    item.spelt = m.dice.choice([item.word[:-1], item.word + "s", item.word.upper(), "x" + item.word])
    return finish(m, item, "", "misspelt word", label="")


def no_table(m):
    item = m.pick("mass", "gravity", "contact", "probe")
    item.layout = "line"
    lines = m.text().split("\n")
    lines[item.line - 1] = "%s%s" % (item.word, m.dice.choice(["(5)", "()", "('x')", "{ 5 }", "{ 1, 2 }"]))
    return Wrong("\n".join(lines), item.line, item.word, "", True, [], "no table")


def duplicate_name(m):
    word = m.dice.choice(["barrier", "contact", "probe"])
    first, second = [i for i in m.items if i.word == word][:2]
    first.keys["name"] = second.keys["name"] = lua("twin")
    return finish(m, second, "name", "duplicate name")


def bad_height(m):
    barrier = [i for i in m.items if i.variable == "bridge"][0]
    body = m.dice.choice(["error('broken \\27[31m')", "error({})", "error()", "return nil", "return 0/0", "return 1e9", "return 'low'", "return {}",
                          "return x.y.z", "return nothing_there(x)", "mass{ mass = 1 }", "return 1, 2", "local t = nil; return t[x]", "error(7)",
                          "param{ 'late', 1 }", "assert(false, 'not\\nso')", "return string.rep('x', 1e8)", "local function f() return f() + 1 end return f()",
                          "return math.floor({})", "return ('x'):bad()", "error('%s', 0)" % ("y" * 3000)] +
                         (["while true do end"] if m.dice.random() < 0.05 else []))
    quiet = body.startswith("return") and any(w in body for w in ("nil", "0/0", "1e9", "'low'", "{}", "1, 2")) and "(" not in body
    barrier.keys["height"] = "function(x)\nlocal y = 2 * x\n%s\nend" % body
    wrong = finish(m, barrier, "height", "bad height")
    lines = wrong.text.split("\n")
    inside = lines.index(body) + 1
    # A function that only returns what is no height has failed where it begins, two lines above.
    return wrong._replace(line=inside - 2 if quiet else None if "f()" in body or "rep" in body else inside,
                          object=label_at_compile(m, barrier))


def label_at_compile(m, item):
    """Objects without a name have one by then: barrier2."""
    if "name" in item.keys:
        return clean_label(item)
    same = [i for i in m.items if i.word == item.word]
    return "%s '%s%d'" % (item.word, item.word, same.index(item) + 1)


def wrong_scheme(m):
    item = [i for i in m.items if i.word == "contact"][1]  # of the string
    item.keys["scheme"] = '"%s"' % m.dice.choice(["root", "am1", "verlet", "heun", "rk4", "invariant", "exact"])
    return finish(m, item, "scheme", "scheme that cannot work")._replace(object=label_at_compile(m, item))


def unstable(m):
    kind = m.dice.choice(["string", "mass", "modal", "plate", "modes", "mode", "width"])
    item = m.pick({"modes": "string", "mode": "pluck", "width": "pluck"}.get(kind, kind))
    if not item:
        return None
    key = {"string": "segments", "mass": "frequency", "modal": "modes", "plate": "segments", "modes": "modes", "mode": "mode", "width": "width"}[kind]
    if kind == "modes":
        item.keys["model"] = '"modal"'
    if kind == "mode":
        item.keys = {"on": "s", "shape": '"mode"', "height": "1e-3", **{k: v for k, v in item.keys.items() if k == "name"}}
    if kind == "width":
        at = m.length * 0.5003
        item.keys.update(shape='"raised-cosine"', at="%.7f" % at)
    item.keys[key] = {"string": str(m.dice.randrange(20000, 99999)), "mass": "%g" % m.dice.uniform(4e4, 1e8), "plate": "{ %d, 800 }" % m.dice.randrange(300, 900),
                      "modal": "{ { %g, 1, 0.1, 1 } }" % m.dice.uniform(3e4, 1e8), "modes": "19999", "mode": "19999", "width": "1e-6"}[kind]
    return finish(m, item, key, "unstable " + kind, sure=kind != "width")._replace(object=label_at_compile(m, item))


def at_rest_inside(m):
    bridge = [i for i in m.items if i.variable == "bridge"][0]
    bridge.keys["height"] = m.dice.choice(["function(x) return 1e-3 end", "%g" % m.dice.uniform(1e-4, 1e-2)])
    item = [i for i in m.items if i.word == "contact"][1]
    return finish(m, item, "gap", "barrier in the string")._replace(object=label_at_compile(m, item))


def rigid_twice(m):
    items = [m.add("spring", "", between='{ m, "ground" }', rigid="true") for _ in range(2)]
    m.items.remove(items[0])
    m.items.insert(5, items[0])
    for item in items:
        item.layout = "line"
    text = m.text()
    return Wrong(text, None, None, "rigid", True, [], "rigid twice")


def outside_places(m):
    item = m.pick("force", "pluck", "probe")
    if item.keys.get("on") != "s":
        return None
    item.keys["at"] = "%.3f" % (m.length * m.dice.uniform(1.01, 5))
    return finish(m, item, "at", "outside the string")


def no_penetration(m):
    item = m.add("probe", "", on="w2", quantity='"penetration"')
    m.items.remove(item)
    lonely = Item(m.dice, "mass", "w2", mass="1")
    m.items += [lonely, item]
    item.layout = lonely.layout = "line"
    return finish(m, item, "quantity", "no penetration")._replace(object=label_at_compile(m, item))


def both_given(m):
    pairs = [("string", "frequency", "220", "tension"), ("mass", "stiffness", "100", "frequency"), ("string", "material_density", "7850", "density"),
             ("string", "t60", "{ { 100, 1 } }", "t60"), ("string", "gamma", "0.1", "gamma"), ("string", "modes", "9", "modes"), ("contact", "s", "0.7", "s"),
             ("contact", "release", "true", "release"), ("contact", "corrected", "true", "corrected"), ("contact", "interpolation", "2", "interpolation"),
             ("pluck", "width", "0.01", "width"), ("pluck", "mode", "3", "mode"), ("plate", "modes", "7", "modes")]
    word, key, value, told = m.dice.choice(pairs)
    item = m.pick(word)
    if not item or (key == "gamma" and item.keys.get("model") == '"implicit"'):
        return None
    item.keys[key] = value
    return finish(m, item, told, "impossible together")


def wrong_param(m):
    item = [i for i in m.items if i.word == "param"][0]
    key, value, told = m.dice.choice([("min", "1e12", "min"), ("max", "1", "max"), ("scale", '"cubic"', "scale"), ("min", "-5", "scale"), ("unit", "5", "unit"),
                                      ("label", "{}", "label"), ("_value", "nil", "value"), ("_value", '"x"', "value"), ("_value", "1/0", "value"),
                                      ("_value", "1e300", "value"), ("max", "true", "max"), ("label", lua("a\tb"), "label"), ("unit", lua("u" * 40), "unit")])
    item.keys[key] = value
    return finish(m, item, None if told in ("min", "max") else told, "wrong param")


def wrong_param_name(m):
    item = [i for i in m.items if i.word == "param"][0]
    item.keys["_name"] = m.dice.choice(["nil", "5", "true", '""', '"a=b"', lua("x\x1by"), lua("q" * 70)])
    return finish(m, item, "name", "wrong name of a param", label="?param")


def wrong_setting(m):
    item = [i for i in m.items if i.word == "param"][0]
    if m.dice.random() < 0.5:
        return finish(m, item, None, "setting out of range", settings=[("hard", m.dice.choice([-1.0, 1e300, float("nan"), float("inf")]))])
    return finish(m, item, "", "unknown setting", label="", settings=[("h\u202eard\x1b", 1.0)], line=0)


def wrong_play(m):
    play = m.pick("play")
    if not play:
        return None
    key, value = m.dice.choice([("pitch", '"nope"'), ("pitch", "5"), ("velocity", '"nope"'), ("voices", "0.5"), ("voices", "0"), ("tail", '"x"'), ("release", "-1"),
                                ("pitch", '"hard"'), ("pitch", lua("\u202ex"))])
    play.keys[key] = value
    return finish(m, play, key, "wrong play")


def wrong_preset(m):
    key, value, told = m.dice.choice([("hard", "1e300", "hard"), ("hard", "0/0", "hard"), ("hard", "'x'", "hard"), ("nope", "1", "nope"), ("hart", "1e8", "hart")])
    preset = m.add("preset", "", _name='"P"', **{key: value})
    preset.layout = m.dice.choice(["line", "lines"])
    m.items.insert(m.dice.randrange(len(m.items)), m.items.pop())
    return finish(m, preset, told, "wrong preset", label="preset 'P'")


def lua_error(m):
    item = m.pick()
    line = m.dice.choice(["local z = nil + 1", "error('stop \\27[31m \\226\\128\\174 here')", "error({})", "error()", "nothing_there()", "local q = {} ; q.x.y = 1",
                          "os.execute('ls')", "require 'x'", "for i = 1, 10, 0 do end", "math.sin({})", "table.concat({ {} })", "string.rep('x', -1, 5, {})()", "assert(nil)",
                          "assert(1 == 2, 'so\\nnot')", "local function f() return f() + 1 end f()", "; ('x'):gsub('a', 'b')", "error('%s')" % ("z" * 2000),
                          "local t = {} ; t[nil] = 1", "local x <const> = 1 ; x = 2", "goto nowhere", "local a = = 1", "x = 'open", "}", "\\", "\x01", "return)"] +
                         (["while true do end", "local t = {} for i = 1, 1e9 do t[i] = i end", "local s = 'x' while true do s = s .. s end"]
                          if m.dice.random() < 0.1 else []))
    text = m.text({item: [line]})
    exact = not any(w in line for w in ("f()", "open", "t[i]", "s .. s", "}", "return)", "goto"))
    return Wrong(text, m.inserted[item] if exact else None, "" if exact else None, "" if exact else None, True, [], "error of Lua")


def bad_bytes(m):
    text = bytearray(m.text().encode())
    for _ in range(m.dice.randrange(1, 4)):
        at = m.dice.randrange(len(text))
        text[at:at + m.dice.choice([0, 1])] = bytes(m.dice.choice([[0], [0x1b], [0xff], [0xe2, 0x80, 0xae], [0xc2, 0x9b], [0x80], [0x7f], [13], [0xf0, 0x9f]]))
    return Wrong(bytes(text), None, None, None, False, [], "bytes")


def broken_text(m, text=None, what="broken text"):
    text = text or m.text()
    words = "{ } ( ) = , ; end then 5 nil 'x' \" [[ ]] -- local function .. mass string true {} 1e999 0x".split()
    for _ in range(m.dice.randrange(1, 3)):
        at = m.dice.randrange(len(text))
        kind = m.dice.random()
        if kind < 0.3:
            text = text[:at] + " " + m.dice.choice(words) + " " + text[at:]
        elif kind < 0.6:
            text = text[:at] + text[at + m.dice.randrange(1, 12):]
        elif kind < 0.7:
            text = text[:at]
        else:
            text = text[:at] + m.dice.choice("{}()=,'x9-.\x1b\u202e") + text[at + 1:]
    return Wrong(text, None, None, None, False, [], what)


def shipped(m, scenes):
    text = m.dice.choice(scenes)
    if m.dice.random() < 0.35:
        return broken_text(m, text, "shipped, broken text")
    numbers = [n for n in re.finditer(r"(?<![\w.\"])\d+\.?\d*(?:e-?\d+)?(?![\w.\"])", text)]
    keys = [n for n in re.finditer(r"\b(\w+) = ", text)]
    if m.dice.random() < 0.6 and numbers:
        n = m.dice.choice(numbers)
        text = text[:n.start()] + m.dice.choice(["-1e300", "1e300", "(0/0)", "nil", "true", "{}", "'x'", "0", "-1", "1e9", "1e-9", "1e6"]) + text[n.end():]
        return Wrong(text, None, None, None, False, [], "shipped, number")
    if keys:
        n = m.dice.choice(keys)
        text = text[:n.start()] + n.group(1) + "x = " + text[n.end():]
    return Wrong(text, None, None, None, False, [], "shipped, key")


def empty(m):
    return Wrong(m.dice.choice(["", "-- nothing", "\n\n", "local x = 1", "\x1bLua", "#!/usr/bin/sistrum"]), 0, "", "", True, [], "empty")


DAMAGES = [(wrong_type, 8), (wrong_name, 4), (out_of_range, 8), (unknown_key, 6), (missing_key, 6), (wrong_reference, 5), (misspelt_word, 4), (no_table, 2),
           (duplicate_name, 2), (bad_height, 8), (wrong_scheme, 4), (unstable, 8), (at_rest_inside, 3), (rigid_twice, 2), (outside_places, 3),
           (no_penetration, 2), (both_given, 5), (wrong_param, 4), (wrong_param_name, 2), (wrong_setting, 3), (wrong_play, 3), (wrong_preset, 3), (lua_error, 7), (bad_bytes, 4),
           (broken_text, 6), (empty, 1)]


def read_scenes():
    folder = os.path.join(SOURCE, "scenes")
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".lua"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append(file.read())
    return found


def make(seed, scenes):
    """The wrong scene of that seed."""
    dice = random.Random(seed)
    while True:
        maker = Maker(dice)
        if dice.random() < 0.1:
            return shipped(maker, scenes)
        functions, weights = zip(*DAMAGES)
        wrong = dice.choices(functions, weights)[0](maker)
        if wrong:
            return wrong


# ---------------------------------------------------------------------------- what is said

def unclean(text):
    """The first character of a sentence that should not be there; "": it is clean."""
    shown = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"  # signs of Arabic that have a shape
    for c in text:
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in shown:
            return "U+%04X" % ord(c)
    return ""


def run(c, wrong, rate=44100.0):
    """Loads and compiles: None when it works, else (text, line, object, key, status)."""
    raw = wrong.text if isinstance(wrong.text, bytes) else wrong.text.encode("utf-8", "surrogatepass")
    settings = (c.Setting * len(wrong.settings))(*[c.Setting(name.encode(), value) for name, value in wrong.settings])
    error, found = c.ScriptError(), c.Error()
    script = c.lib.sis_script_load_text(raw, len(raw), FILE.encode(), settings, len(settings), ctypes.byref(error))
    if script:
        scene = c.lib.sis_script_scene(script)
        options = c.lib.sis_options_default(scene)
        if options.rate > 200000:
            options.rate = 200000
        system = c.lib.sis_compile(scene, ctypes.byref(options), ctypes.byref(found))
        if not system:
            c.lib.sis_script_locate(script, ctypes.byref(found), ctypes.byref(error))
        c.lib.sis_system_free(system)
        c.lib.sis_script_free(script)
        if system:
            return None
    return error.text, error.line, error.object, error.key, error.status


def judge(wrong, said):
    """What is wrong with what was said: [complaint, ...]."""
    if said is None:
        return ["it runs"] if wrong.sure else []
    raw, line, label, key, status = said
    found = []
    try:
        text, label, key = raw.decode(), label.decode(), key.decode()
    except UnicodeDecodeError:
        return ["no UTF-8"]
    if unclean(text) or unclean(label) or unclean(key):
        found.append("not clean: %s" % (unclean(text) or unclean(label) or unclean(key)))
    start = "%s:%d: " % (FILE, line) if line else "%s: " % FILE
    if not text.startswith(start):
        found.append("does not begin with %r" % start)
    if len(raw) < len(start) + 2:
        found.append("says nothing")
    if status != (2 if wrong.settings else 1):
        found.append("status %d" % status)
    if wrong.line is not None and line != wrong.line:
        found.append("line %d, not %d" % (line, wrong.line))
    if wrong.object is not None and wrong.object[:1] == "?":
        if label.split(" ")[0] != wrong.object[1:]:
            found.append("object %r, not %r" % (label, wrong.object[1:]))
    elif wrong.object is not None and label != wrong.object:
        found.append("object %r, not %r" % (label, wrong.object))
    if wrong.key is not None and key != wrong.key:
        found.append("key %r, not %r" % (key, wrong.key))
    if label and label not in text:
        found.append("object %r is not in the sentence" % label)
    if key and key[:50] not in text:
        found.append("key %r is not in the sentence" % key)
    whole = ("is empty", "compiled Lua", "nothing that moves", "points together", "points in all", "unknown param", "bytes, more than")
    if not line and not any(w in text for w in whole):
        found.append("no line")
    return found


def main(count, seed):
    sys.path.insert(0, os.path.join(SOURCE, "python"))
    from sistrum import _c
    scenes = read_scenes()
    kinds, failures, began = collections.Counter(), 0, time.time()
    tally = collections.Counter()
    for i in range(count):
        wrong = make("%s/%d" % (seed, i), scenes)
        start = time.time()
        said = run(_c, wrong)
        complaints = judge(wrong, said)
        if time.time() - start > 20:
            complaints.append("took %.1f s" % (time.time() - start))
        kinds[wrong.what] += 1
        tally["refused" if said else "runs"] += 1
        if said:
            tally["with a line"] += said[1] > 0
            tally["with an object"] += said[2] != b""
            tally["with a key"] += said[3] != b""
        if complaints:
            failures += 1
            if failures <= 20:
                print("FAILED %s/%d, %s: %s\n    said: %r" % (seed, i, wrong.what, "; ".join(complaints), said))
                if os.environ.get("WRONG_TEXT"):
                    print(wrong.text)
    print("%d scenes in %.0f s: %s" % (count, time.time() - began, ", ".join("%d %s" % (n, k) for k, n in tally.items())))
    if count > 5000:
        print(", ".join("%d %s" % (n, k) for k, n in sorted(kinds.items())))
    print("%d failures" % failures)
    return 1 if failures or tally["refused"] < count // 2 else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1500, sys.argv[2] if len(sys.argv) > 2 else "1"))
