"""The page of the gallery: HTML around sounds and pictures, everything inside of it."""

import base64
import html
import math
import os
import re

import gallery_draw as draw

HERE = os.path.dirname(os.path.abspath(__file__))
CLOSED = 1e-9  # of what flowed: a larger residual is not rounding


class Exhibit:
    """One scene on the page. What a scene does not have stays empty."""

    def __init__(self, name):
        self.name = name  # as under scenes/, without .lua
        self.title = name
        self.headline = self.text = ""
        self.paragraphs, self.params = [], []
        self.play = None  # which params a note sets
        self.report = None  # of sistrum render --json
        self.seconds = 0.0  # of the sound
        self.sound = self.spectrum = b""  # FLAC, PNG
        self.wave = self.icon = self.energy = ""  # SVG
        self.joules = 0.0  # top of the energy axis
        self.failure = ""  # one sentence

    @property
    def room(self):
        """Where it hangs: what is played with knobs comes before studies of a few lines, and both before the papers."""
        if "/" in self.name:
            return "Scenes of the papers"
        return "Instruments" if self.sound and len(self.params) > 1 else "Studies in a few lines"

    @property
    def anchor(self):
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-") or "scene"


# ---------------------------------------------------------------------------- words and numbers


def counted(number, word):
    """"1 scene", "2 scenes"."""
    return "%d %s%s" % (number, word, "" if number == 1 else "s")


def quote(text):
    return html.escape(str(text))


def number(value):
    """A number as people write it: 5 x 10^6."""
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞"
    if value == 0 or 1e-3 <= abs(value) < 1e5:
        return ("%.4g" % value).replace("-", "−")
    digits, exponent = ("%.3e" % value).split("e")
    digits = digits.rstrip("0").rstrip(".").replace("-", "−")
    times = "" if digits == "1" else digits + "·"
    return "%s10<sup>%s</sup>" % (times, str(int(exponent)).replace("-", "−"))


def with_unit(value, unit):
    """A physical quantity with a prefix: 3.2 mJ."""
    if value == 0 or not math.isfinite(value):
        return "0 " + unit
    power = max(-5, min(3, math.floor(math.log10(abs(value)) / 3 + 1e-9)))
    text = "%.3g" % (value / 10.0 ** (3 * power))
    return "%s %s%s" % (text.replace("-", "−"), ["f", "p", "n", "µ", "m", "", "k", "M", "G"][power + 5], unit)


def unit_html(unit):
    """m^(alpha+1) with raised exponents."""
    raised = re.sub(r"\^(\([^)]*\)|[\w.+-]+)", lambda m: "<sup>%s</sup>" % m.group(1).strip("()"), quote(unit))
    return raised.replace("alpha", "α")


WORDS = ("param mass string plate modal barrier contact spring bow force pluck gravity probe render play preset").split()
KEYWORDS = ("and break do else elseif end false for function goto if in local nil not or repeat return then true until "
            "while").split()
TOKEN = re.compile(r"""(?P<c>--\[(=*)\[.*?\]\2\]|--[^\n]*)|(?P<s>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
                   r"""|(?P<n>\b(?:0[xX][0-9a-fA-F.]+|\d+\.?\d*(?:[eE][+-]?\d+)?)\b)|(?P<name>[A-Za-z_]\w*)""", re.S)


def lua(text):
    """The scene with a little colour: comments, strings, numbers, words."""
    parts, at = [], 0
    for token in TOKEN.finditer(text):
        kind, word = token.lastgroup, token.group()
        if kind == "name":
            called = text[token.end():token.end() + 2].lstrip()[:1] in ("{", "(")  # mass { mass = 1 }
            kind = "k" if word in KEYWORDS else "w" if word in WORDS and called else ""
        parts.append(quote(text[at:token.start()]))
        parts.append('<i class="%s">%s</i>' % (kind, quote(word)) if kind else quote(word))
        at = token.end()
    return "".join(parts) + quote(text[at:])


# ---------------------------------------------------------------------------- parts of one scene


def time_marks(seconds):
    """Labels under the plots: at most eight, at round times."""
    step = 10.0 ** math.floor(math.log10(seconds / 4))
    while seconds / step > 6:
        step *= 2 if round(step / 10 ** math.floor(math.log10(step) + 1e-9)) in (1, 5) else 2.5
    small = seconds < 0.5
    marks = []
    for n in range(int(seconds / step + 1e-6) + 1):
        t = n * step
        end = t / seconds > 0.97
        text = "%g" % round(t * (1000 if small else 1), 6)
        marks.append('<span style="left:%.2f%%"%s>%s</span>' % (100 * t / seconds, ' class="end"' if end else "",
                                                               text + ((" ms" if small else " s") if n == 0 else "")))
    return '<div class="times">%s</div>' % "".join(marks)


def plots(e):
    """Waveform, spectrogram and energy over one time axis."""
    rows = []
    if e.wave:
        rows.append('<figure class="plot p-wave">%s</figure>' % e.wave)
    if e.spectrum:
        marks = "".join('<b style="top:%.1f%%">%s</b>' % (100 * at, label) for label, at in draw.pitch_marks())
        rows.append('<figure class="plot p-spectrum"><img alt="" src="data:image/png;base64,%s">%s</figure>' % (base64.b64encode(e.spectrum).decode(), marks))
    if e.energy:
        rows.append('<figure class="plot p-energy">%s<b style="top:0">%s</b></figure>' %
                    (e.energy, with_unit(e.joules, "J")))
    seconds = e.report["duration"]
    keys = "".join('<span><i class="%s"></i>%s</span>' % (k, k) for k in draw.STACK + ("supplied",))
    return ('<div class="plots" data-seconds="%.6f">%s<div class="head"></div></div>%s<p class="keys">energy: %s</p>' %
            (seconds, "".join(rows), time_marks(seconds), keys))


def player(e):
    if e.sound:
        return ('<div class="player"><button class="toggle" aria-label="Play %s"></button><audio controls preload="none" '
                'src="data:audio/flac;base64,%s"></audio><span class="clock">%s</span></div>' %
                (quote(e.title), base64.b64encode(e.sound).decode(), "%.1f s" % e.seconds))
    why = "Too short to hear: a single event, drawn only." if e.wave else "It has no sound: look at its energy."
    return '<p class="silent">%s</p>' % why


def bodies(report):
    """Bodies in words: 2 strings, 1 plate."""
    counts = {}
    for body in report["bodies"]:
        if body["kind"] != "barrier":
            counts[body["kind"]] = counts.get(body["kind"], 0) + 1
    names = {"mass": ("mass", "masses"), "modal": ("modal body", "modal bodies")}
    return ", ".join("%d %s" % (n, names.get(k, (k, k + "s"))[n > 1]) for k, n in counts.items())


def speed(report):
    """How fast it ran; a run of microseconds may be too short for the clock."""
    factor = report["speed"]["realtime_factor"]
    return "%.3g times real time" % factor if factor else "too short to time"


def facts(e):
    """What was measured."""
    r, contacts = e.report, e.report["contacts"]
    rows = [("speed", "<strong>%s</strong>" % speed(r)),
            ("energy unexplained", "<strong>%s</strong> of what flowed" % number(float("%.1e" % r["energy"]["residual_max"]))),
            ("run", "%g s at %g kHz%s" % (r["duration"], r["rate"] / 1000,
                                          " × %d" % r["oversample"] if r["oversample"] > 1 else "")),
            ("bodies", bodies(r))]
    if contacts:
        points = sum(c["points"] for c in contacts)
        schemes = sorted({c["scheme"] for c in contacts})
        rows.append(("contacts", "%d point%s, %s" % (points, "s" if points > 1 else "", quote(", ".join(schemes)))))
        rows.append(("hardest blow", with_unit(max(c["max_force"] for c in contacts), "N")))
        rows.append(("deepest", with_unit(max(c["max_penetration"] for c in contacts), "m")))
    return '<dl class="facts">%s</dl>' % "".join("<div><dt>%s</dt><dd>%s</dd></div>" % row for row in rows)


def knob_place(p):
    """Where the default is on the way of the knob, 0 to 1; None: the knob has no ends."""
    if not (math.isfinite(p.min) and math.isfinite(p.max) and p.max > p.min):
        return None
    if p.scale == "log":
        return math.log(p.default / p.min) / math.log(p.max / p.min)
    return (p.default - p.min) / (p.max - p.min)


def knobs(e):
    """The params of the scene as a table."""
    if not e.params:
        return ""
    rows = []
    for p in e.params:
        place = knob_place(p)
        bar = '<span class="travel"><span style="left:%.1f%%"></span></span>' % (100 * place) if place is not None else ""
        by_note = [k for k in ("pitch", "velocity") if e.play and getattr(e.play, k) == p.name]
        badge = '<span class="note" title="a note sets it">♪ %s</span>' % by_note[0] if by_note else ""
        rows.append('<tr><td><code>%s</code>%s <span class="label">%s</span></td><td class="value">%s %s</td>'
                    '<td class="range">%s<span class="ends"><span>%s</span><span>%s</span><span>%s</span></span></td></tr>' %
                    (quote(p.name), badge, quote(p.label if p.label != p.name else ""), number(p.default), unit_html(p.unit), bar,
                     number(p.min), "log" if p.scale == "log" else "", number(p.max)))
    return ('<table class="knobs"><thead><tr><th>knob</th><th>default</th><th>range</th></tr></thead><tbody>%s</tbody></table>'
            % "".join(rows))


def command(e):
    extra = " --set %s=%g" % (e.params[0].name, e.params[0].default) if e.params else ""
    return "sistrum render scenes/%s.lua -o %s.wav%s" % (e.name, os.path.basename(e.name), extra)


def article(e):
    head = '<h2><a href="#%s">%s</a></h2>' % (e.anchor, quote(e.title))
    if e.headline:
        head += '<p class="lead">%s</p>' % quote(e.headline)
    source = ('<details><summary>The scene: %s of Lua</summary><p class="try"><code>%s</code></p><pre>%s</pre></details>' %
              (counted(len(e.text.splitlines()), "line"), quote(command(e)), lua(e.text.rstrip())))
    if e.failure:
        return ('<article id="%s" class="failed"><header>%s</header><p class="failure">It failed: %s</p>%s</article>' %
                (e.anchor, head, quote(e.failure), source))
    words = "".join("<p>%s</p>" % quote(p) for p in e.paragraphs)
    return ('<article id="%s" data-scene="%s"><header>%s</header><div class="stage">%s%s</div><div class="words">%s%s</div>%s%s</article>' %
            (e.anchor, quote(e.name), head, player(e), plots(e), words, facts(e), knobs(e), source))


def card(e):
    """One scene in the index."""
    button = '<button class="toggle" data-for="%s" aria-label="Play %s"></button>' % (e.anchor, quote(e.title)) if e.sound else ""
    mark = ' class="failed"' if e.failure else ""
    icon = e.icon or '<svg class="wave" viewBox="0 0 10 10"></svg>'
    return ('<li%s><a href="#%s">%s<span><strong>%s</strong><small>%s</small></span></a>%s</li>' %
            (mark, e.anchor, icon, quote(e.title), quote("failed" if e.failure else e.headline), button))


# ---------------------------------------------------------------------------- the whole


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def summary(exhibits):
    """One sentence that is true of every scene on the page."""
    played = [e.report for e in exhibits if e.report and not e.failure]
    if not played:
        return ""
    residuals = [r["energy"]["residual_max"] for r in played]
    closed = [x for x in residuals if x <= CLOSED]
    seconds, cpu = sum(r["duration"] for r in played), sum(r["speed"]["seconds"] for r in played)
    text = "%s, %.3g seconds of sound, computed in %.2g seconds of one core. " % (
        counted(len(played), "scene"), seconds, cpu)
    if closed:
        text += "In %s of them stored + dissipated = supplied, to %s of the energy at worst. " % (
            "every one" if len(closed) == len(played) else len(closed), number(float("%.1e" % max(closed))))
    if len(closed) < len(played):
        open_ = len(played) - len(closed)
        text += "%d %s integrators that do not promise it." % (open_, "uses" if open_ == 1 else "use")
    return text


def build(exhibits, version):
    """The page as text."""
    taken = {}
    for e in exhibits:
        taken[e.anchor] = taken.get(e.anchor, 0) + 1
        if taken[e.anchor] > 1:
            e.name += "-%d" % taken[e.anchor]  # two scenes of one name
    rooms = ["Instruments", "Studies in a few lines", "Scenes of the papers"]
    exhibits = sorted(exhibits, key=lambda e: rooms.index(e.room))
    index = "".join('<h3>%s</h3><ol class="index">%s</ol>' % (room, "\n".join(card(e) for e in exhibits if e.room == room))
                    for room in rooms if any(e.room == room for e in exhibits))
    failed = [e for e in exhibits if e.failure]
    warning = ""
    if failed:
        warning = ('<div class="warning"><strong>%d of %s failed:</strong><ul>%s</ul></div>' %
                   (len(failed), counted(len(exhibits), "scene"), "".join('<li><a href="#%s">%s</a>: %s</li>' %
                                                        (e.anchor, quote(e.name), quote(e.failure)) for e in failed)))
    return read("gallery.html").format(
        style=read("gallery.css"), script=read("gallery.js"), version=quote(version), summary=summary(exhibits),
        warning=warning, index=index, articles="\n".join(map(article, exhibits)))
