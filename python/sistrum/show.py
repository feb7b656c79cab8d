"""What Jupyter shows, and pictures: a player, the waveform and the energy; tables of scenes and studies.

Colours are read on dark and on light pages: text and axes have the colour of the page's text, lines are of middle
lightness. Names of scenes come from anywhere, so all of them are escaped."""

from __future__ import annotations

import base64
import functools
import html
import io
import os
from typing import TYPE_CHECKING, Any, List, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import kept
from .errors import SettingError, SistrumError, clean

if TYPE_CHECKING:
    from .rendering import Rendering
    from .scene import Scene
    from .study import Study

Floats = npt.NDArray[np.float64]
Line = Tuple[str, Floats, Floats]  # its name; x; y: one value each, or [x][lowest, highest]

PLAYER_BYTES = 6 << 20  # of the WAV in a page
PLAYED_RATES = 3000, 384000  # Hz that browsers play
WIDTH, HEIGHT, LEFT, COLUMNS = 720, 164, 78, 640
LINES = 5  # of a panel: names of more have no room
PARTS = 1 << 13  # of a figure: more than it has columns of pixels
ABOVE, BELOW = 20, 22  # of a panel: names of lines; time
COLOURS = ["#3987c9", "#d9822b", "#3a9e6e", "#b565b0", "#8a8f3c", "#d1495b"]
ENERGIES = ("total", "contact", "supplied", "dissipated")


def escaped(text: Any) -> str:
    """Text that a page shows as it is; what no page can show is a replacement character."""
    return html.escape(clean(text), quote=True)


def _unread(text: str) -> str:
    """Text that matplotlib does not take for a formula."""
    return clean(text).replace("$", r"\$")


def _number(value: float) -> str:
    return "%.4g" % value


def _exact(value: float) -> str:
    return "%.9g" % value


# ---------------------------------------------------------------------------- lines


def _envelope(y: Floats, columns: int = COLUMNS) -> Tuple[Floats, Floats]:
    """Places from 0 to 1, and the lowest and the highest value around each."""
    count = min(len(y), columns)
    edges = np.linspace(0, len(y), count + 1).astype(int)[:-1]
    low, high = np.minimum.reduceat(y, edges), np.maximum.reduceat(y, edges)
    return (np.arange(count) + 0.5) / count, np.column_stack([low, high])


def _thinned(values: Floats) -> npt.NDArray[np.intp]:
    """Which values a figure needs, of many: the lowest and the highest of each part, so that it looks the same."""
    size = len(values) // PARTS
    if size < 4:
        return np.arange(len(values))
    whole = len(values) // size * size
    parts = values[:whole].reshape(-1, size)
    firsts = np.arange(0, whole, size)
    ends = [firsts + parts.argmin(axis=1), firsts + parts.argmax(axis=1)]
    found: npt.NDArray[np.intp] = np.unique(np.concatenate([[0], *ends, np.arange(whole, len(values))]))
    return found


def _finite_range(lines: Sequence[Line]) -> Tuple[float, float]:
    values = np.concatenate([line[2].ravel() for line in lines])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    if low == high:
        low, high = low - (abs(low) or 1.0), high + (abs(high) or 1.0)
    return low, high


def _path(line: Line, low: float, high: float, top: float) -> str:
    x = LEFT + line[1] * (WIDTH - LEFT - 8)
    y = top + ABOVE + (high - line[2]) / (high - low) * (HEIGHT - ABOVE - BELOW)
    if y.ndim == 2:  # a band: there along its upper side, back along its lower one
        x, y = np.concatenate([x, x[::-1]]), np.concatenate([y[:, 1], y[::-1, 0]])
    keep = np.isfinite(y)
    return "M" + "L".join("%.1f %.1f" % point for point in zip(x[keep], y[keep])) if keep.any() else ""


def _more(lines: Sequence[Any]) -> str:
    """How many are not drawn."""
    return "and %d more" % (len(lines) - LINES) if len(lines) > LINES else ""


def _panel(label: str, lines: Sequence[Line], more: str, seconds: float, top: float) -> str:
    low, high = _finite_range(lines)
    bottom, right = top + HEIGHT - BELOW, WIDTH - 8
    parts = ['<path d="M%d %gV%gH%d" fill="none" stroke="currentColor" stroke-opacity="0.5"/>' % (
        LEFT, top + ABOVE, bottom, right)]
    if low < 0 < high:
        zero = top + ABOVE + high / (high - low) * (HEIGHT - ABOVE - BELOW)
        parts.append('<path d="M%d %.1fH%d" stroke="currentColor" stroke-opacity="0.2"/>' % (LEFT, zero, right))
    for i, line in enumerate(lines):
        colour, band = COLOURS[i % len(COLOURS)], line[2].ndim == 2
        parts.append('<path d="%s" fill="%s" fill-opacity="0.85" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>' % (
            _path(line, low, high, top), colour if band else "none", colour, "0.8" if band else "1.6"))
        parts.append('<text x="%d" y="%g" fill="%s">%s</text>' % (LEFT + 4 + 118 * i, top + 13, colour, escaped(line[0][:16])))
    if more:
        parts.append('<text x="%d" y="%g" text-anchor="end">%s</text>' % (right, top + 13, more))
    parts.append('<text x="%d" y="%g" text-anchor="end">%s</text>' % (LEFT - 6, top + ABOVE + 10, _number(high)))
    parts.append('<text x="%d" y="%g" text-anchor="end">%s</text>' % (LEFT - 6, bottom, _number(low)))
    parts.append('<text x="%d" y="%g" text-anchor="end">%s</text>' % (LEFT - 6, (top + bottom) / 2 + 8, escaped(label)))
    parts.append('<text x="%d" y="%g">0</text><text x="%d" y="%g" text-anchor="end">%s s</text>' % (
        LEFT, bottom + 14, right, bottom + 14, _exact(seconds)))
    return "".join(parts)


def _svg(panels: Sequence[str], name: str) -> str:
    height = HEIGHT * len(panels)
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s" '
            'style="max-width:100%%;height:auto"><g font-family="sans-serif" font-size="12" fill="currentColor">%s</g></svg>'
            % (WIDTH, height, WIDTH, height, escaped(name), "".join(panels)))


def _panels(run: Rendering, what: str) -> List[Tuple[str, List[Tuple[str, Floats]]]]:
    """(unit, [(name, values)]) of what is drawn."""
    panels: List[Tuple[str, List[Tuple[str, Floats]]]] = []
    if what in ("all", "signal") and run.data.shape[1]:
        units: dict[str, List[Tuple[str, Floats]]] = {}
        for p, probe in enumerate(run.system.probes):
            units.setdefault(probe.unit, []).append((probe.name, run.data[:, p]))
        panels += units.items()
    if what in ("all", "energy") and run.energy is not None:
        panels.append(("J", [(name, run.energy[name]) for name in ENERGIES]))
    return panels


def rendering_svg(run: Rendering, what: str = "all") -> str:
    """The waveform and the energy of a run, as SVG."""
    panels: List[str] = []
    for unit, lines in _panels(run, what):
        steady = unit == "J"
        drawn: List[Line] = []
        for name, values in lines[:LINES]:
            x, band = _envelope(values)
            drawn.append((name, x, band[:, 1] if steady else band))
        panels.append(_panel(unit, drawn, _more(lines), len(run) / run.rate, HEIGHT * len(panels)))
    return _svg(panels, "%s, %s s" % (run.title, _number(len(run) / run.rate))) if panels else ""


# ---------------------------------------------------------------------------- a run


def _player(run: Rendering) -> str:
    """The sound as a player, or why there is none."""
    from . import sound
    if run.channels < 1:
        return "<p>No probe has a channel: there is no sound.</p>"
    if not PLAYED_RATES[0] <= run.rate <= PLAYED_RATES[1]:
        return "<p>Browsers do not play %s samples a second; wav(path) writes them.</p>" % _number(run.rate)
    size = 2 * run.channels * len(run)
    if size > PLAYER_BYTES:
        return "<p>%.0f MB of sound are too much for a page; wav(path) writes them.</p>" % (size / 1e6)
    try:
        data = sound.embedded(run)
    except SistrumError as why:
        return "<p>%s</p>" % escaped(why)
    return '<audio controls preload="auto" style="width:100%%;max-width:%dpx" src="data:audio/wav;base64,%s"></audio>' % (
        WIDTH, base64.b64encode(data).decode())


def rendering_html(run: Rendering) -> str:
    """A player, the waveform, the energy."""
    facts = ["%s s" % _exact(len(run) / run.rate), "%s Hz" % _exact(run.rate)]
    if run.system.oversample > 1:
        facts.append("%d steps a sample" % run.system.oversample)
    if run.residual_max is not None:
        facts.append("energy balance closed to %.1e" % run.residual_max)
    scene = run.system.scene
    if scene is not None and scene.settings:
        facts.append(", ".join("%s = %s" % (k, _number(v)) for k, v in scene.settings.items()))
    return '<div class="sistrum"><p><b>%s</b> %s</p>%s<div>%s</div></div>' % (
        escaped(run.title), escaped(" · ".join(facts)), _player(run), rendering_svg(run))


def plot(run: Rendering, path: Union[str, os.PathLike[str], None], what: str) -> Any:
    """Rendering.plot."""
    if what not in ("all", "signal", "energy"):
        raise SettingError("what is 'all', 'signal' or 'energy', not %r" % (what,))
    panels = _panels(run, what)
    if not panels:
        raise SettingError("there is nothing to draw: %s" % (
            "render with energy=True" if what == "energy" else "the scene has no probe"))
    ending = os.path.splitext(os.fsdecode(path))[1].lower() if path is not None else ""
    if path is not None and ending not in (".png", ".svg", ".pdf"):
        raise SettingError("pictures are .png, .svg and .pdf files, not '%s'" % os.path.basename(os.fsdecode(path)))
    figure = _figure(run, panels)
    if figure is not None:
        if path is not None:
            with kept.Replacing(path) as f:
                figure.savefig(f, format=ending[1:])
        return figure
    svg = rendering_svg(run, what)
    if path is not None:
        if ending != ".svg":
            raise SettingError("%s files need matplotlib, which is not there: apt install python3-matplotlib, or take .svg" % ending)
        kept.write(path, svg.replace("<svg ", '<svg color="#333" ', 1).encode())
    return svg


def _figure(run: Rendering, panels: Sequence[Tuple[str, List[Tuple[str, Floats]]]]) -> Any:
    """With matplotlib; None: it is not there. It shows itself in a notebook, also where pyplot was never imported."""
    try:
        import matplotlib.figure  # type: ignore[import]
    except ImportError:
        return None
    figure = matplotlib.figure.Figure(figsize=(8, 2.4 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
    for ax, (unit, lines) in zip(axes, panels):
        time = run.energy_time if unit == "J" else run.time
        for i, (name, values) in enumerate(lines[:LINES]):
            shown = _thinned(values)
            ax.plot(time[shown], values[shown], label=_unread(name), color=COLOURS[i % len(COLOURS)], linewidth=1)
        if _more(lines):
            ax.plot([], [], " ", label=_more(lines))
        ax.set_ylabel(unit)
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)  # beside the lines
        ax.grid(alpha=0.3)
    axes[0].set_title(_unread(run.title))
    axes[-1].set_xlabel("s")
    figure._repr_png_ = functools.partial(_png, figure)
    return figure


def _png(figure: Any) -> bytes:
    """What Jupyter shows of a figure."""
    file = io.BytesIO()
    figure.savefig(file, format="png")
    return file.getvalue()


# ---------------------------------------------------------------------------- tables


def table(heading: Sequence[Any], rows: Sequence[Sequence[Any]]) -> str:
    """A table; numbers are shortened, texts escaped."""
    def cell(value: Any) -> str:
        return escaped(_number(value) if isinstance(value, float) else value)
    lines = ["<tr>%s</tr>" % "".join("<th>%s</th>" % cell(h) for h in heading)]
    lines += ["<tr>%s</tr>" % "".join("<td>%s</td>" % cell(c) for c in row) for row in rows]
    return "<table>%s</table>" % "".join(lines)


def scene_html(scene: Scene) -> str:
    """Its params and inputs."""
    rows: List[Sequence[Any]] = [(p.name, p.label, p.value, p.unit, p.min, p.max, p.scale) for p in scene.params.values()]
    rows += [(i.name, i.label, "blow" if i.trigger else i.value, i.unit, i.min, i.max, "input") for i in scene.inputs.values()]
    return '<div class="sistrum"><p><b>%s</b> %s s at %s Hz</p>%s</div>' % (
        escaped(scene.title or os.path.basename(scene.name)), _exact(scene.duration), _exact(scene.rate),
        table(["name", "", "value", "unit", "from", "to", "scale"], rows) if rows else "")


def study_html(study: Study) -> str:
    """How far it is, and the range of every column."""
    data = study.data
    rows: List[Sequence[Any]] = []
    for name in study.columns:
        values = data[name][np.isfinite(data[name])]
        ends: Sequence[Any] = [float(values.min()), float(values.mean()), float(values.max())] if len(values) else [""] * 3
        rows.append([name, "param" if name in study.params else "measure", *ends, len(values)])
    failed = len(study.failures)
    return '<div class="sistrum"><p><b>%s</b> %d of %d runs%s</p>%s</div>' % (
        escaped(study.name), len(study), study.count, ", %d failed" % failed if failed else "",
        table(["", "", "lowest", "mean", "highest", "runs"], rows))
