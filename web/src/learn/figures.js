// Figures of the papers as live pages: which scene, which schemes beside each other, which curves, which numbers.
// A run is {rate, probes: {name: values}, energy: {kinetic, elastic, contact, supplied, dissipated, total}}.

import { printed } from "../page/knobs_value.js";

/** A scene with another scheme in all its contacts, and with more lines at its end. */
export function withScheme(text, scheme, more = "") {
    const named = text.replace(/^contact \{/m, "local hit = contact {");
    return `${named.replace(/scheme = "\w+"/g, `scheme = "${scheme}"`)}\n${more}`;
}

const largest = (values) => values.reduce((most, x) => Math.max(most, x), -Infinity);
const least = (values) => values.reduce((low, x) => Math.min(low, x), Infinity);
const share = (count, of) => count / Math.max(1, of);
const percent = (x, digits = 3) => `${printed(100 * x, digits)} %`;
const signed = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(3)} %`;

/** How often a contact closes, and in which part of the steps it is closed and pulls. */
export function knocks({ f: force, eta2: depth }) {
    let count = 0,
        closed = 0,
        pulls = 0;
    for (let i = 0; i < force.length; i++) {
        if (depth[i] > 0) closed++;
        if (force[i] < 0) pulls++;
        if (depth[i] > 0 && !(depth[i - 1] > 0)) count++;
    }
    return { count, closed: share(closed, force.length), pulls: share(pulls, force.length) };
}

/** Largest share of the energy that an open contact (force 0 or a pull) holds. */
export function keptOpen(run) {
    const total = largest(run.energy.total);
    return run.energy.contact.reduce((most, e, i) => (run.probes.f[i] <= 0 ? Math.max(most, e / total) : most), 0);
}

/** Equation 23 of Bilbao 2014: no point goes deeper than this with the energy H that there is. */
export function depthBound({ K, alpha, spacing, energy }) {
    return Math.pow((2 * (alpha + 1) * energy) / (K * spacing), 1 / (alpha + 1));
}

const drift = (run) => {
    const first = run.energy.total[1] || 1;
    return run.energy.total.slice(1).reduce((most, e) => Math.max(most, Math.abs(e / first - 1)), 0);
};

export const FIGURES = [
    {
        id: "glue",
        title: "A contact that glues",
        paper: "Ducceschi and Bilbao 2019, figure 5",
        cite: "M. Ducceschi and S. Bilbao, Non-iterative solvers for nonlinear problems: the case of collisions, DAFx-19, 2019.",
        scene: "ducceschi2019/fig5",
        about: [
            "A string is pushed away from a stop below its middle, comes back and hits it. The published scheme replaces the iteration of the contact by one division: it keeps the root of the contact's energy as a number of its own, ψ.",
            "Energy is conserved to the last digit, and yet something is wrong: once the string has left, ψ is not zero. So the open contact keeps energy, and the next time it pulls: it glues. The ledger scheme also needs no iteration; it records what the contact holds and gives all of it back.",
            "Turn K: the harder the stop, the longer the published contact pulls. The ledger lets go at any K.",
        ],
        knobs: ["K", "place"],
        more: 'probe { on = hit, quantity = "force", name = "f" }',
        probes: ["u", "f"],
        schemes: [
            { scheme: "quadratised", label: "published" },
            { scheme: "ledger", label: "ledger" },
        ],
        duration: 0.06,
        curves: (runs) => [
            { title: "Force of the contact", unit: "N", lines: runs.map((run) => run.probes.f), zero: true },
            {
                title: "Energy of the contact",
                unit: "% of all",
                lines: runs.map((run) => run.energy.contact.map((e) => (100 * e) / largest(run.energy.total))),
            },
        ],
        numbers: (runs) => [
            {
                what: "largest pull of the stop",
                published: "a stop only pushes",
                measured: runs.map((run) => `${printed(Math.max(0, -least(run.probes.f)), 3)} N`),
            },
            {
                what: "energy kept in the open contact",
                published: "some of the kinetic energy",
                measured: runs.map((run) => percent(keptOpen(run))),
            },
            {
                what: "change of the total after the push",
                published: "conserved",
                measured: runs.map((run) => printed(lateDrift(run), 2)),
            },
        ],
    },
    {
        id: "depth",
        title: "How deep it can get",
        paper: "Bilbao 2014, figure 4 and equation 23",
        cite: "S. Bilbao, Numerical modeling of string/barrier collisions, ISMA, 2014.",
        scene: "bilbao2014/fig3",
        about: [
            "A plucked string falls on a curved barrier. Energy is conserved, so there is a depth that no point can reach, whatever happens: all the energy of the pluck in one point.",
            "The published scheme, solved by Newton's method, stays below the bound, and so does the ledger. The later scheme without iteration conserves an energy too, but nothing ties its ψ to the depth: with a soft or a very hard barrier it goes through the floor.",
            "Turn K over its ten decades, or pluck higher.",
        ],
        knobs: ["K", "height"],
        more: 'probe { on = hit, quantity = "penetration", name = "x" }',
        probes: ["u", "x"],
        schemes: [
            { scheme: "newton", label: "published" },
            { scheme: "ledger", label: "ledger" },
            { scheme: "quadratised", label: "quadratised" },
        ],
        duration: 0.05,
        curves: (runs, set) => [
            {
                title: "Depth of the deepest point",
                unit: "µm",
                lines: runs.map((run) => run.probes.x.map((x) => 1e6 * Math.max(0, x))),
                marks: [{ at: 1e6 * boundOf(runs[0], set), label: "bound" }],
            },
        ],
        numbers: (runs, set) => [
            {
                what: "bound on the depth",
                published: "1.3e-4 m",
                only: true,
                measured: runs.map((run) => `${printed(boundOf(run, set), 3)} m`),
            },
            {
                what: "deepest point",
                published: "below the bound",
                measured: runs.map((run) => `${printed(largest(run.probes.x), 3)} m`),
            },
            {
                what: "change of the energy",
                published: "machine accuracy",
                measured: runs.map((run) => printed(drift(run), 2)),
            },
        ],
    },
    {
        id: "rattle",
        apart: true, // a picture for each run
        balance: false, // energies are not asked for: they take longest
        title: "A bridge that should rattle",
        paper: "Willemsen 2019, section 8",
        cite: "S. Willemsen, Collisions: non-linearities without the use of iterative solvers, 2019.",
        scene: "willemsen2019/tromba",
        about: [
            "The tromba marina has a bridge with a loose foot: it knocks on the body many times in every period, and that makes the trumpet's sound.",
            "With the scheme as published each knock leaves a rest of ψ behind, which makes the next contact pull. Sooner or later the bridge sticks to the body, and the instrument goes dull. When that happens depends on the last digits: turn the height of the pluck by a hair. With the ledger the foot only pushes, and it rattles.",
        ],
        knobs: ["K2", "height"],
        more: "",
        probes: ["u'", "v'", "w", "eta1", "eta2", "f"],
        schemes: [
            { scheme: "quadratised", label: "published" },
            { scheme: "ledger", label: "ledger" },
        ],
        duration: 0.6,
        curves: (runs) => {
            const depths = runs.map((run) => run.probes.eta2.map((x) => 1e6 * x));
            const range = [least(depths.flat()), largest(depths.flat())];
            return depths.map((depth, i) => ({
                title: `Foot in the body (above 0) or in the air (below), ${i ? "ledger" : "published"}`,
                unit: "µm",
                lines: [depth],
                colour: i,
                range,
                zero: true,
            }));
        },
        numbers: (runs) => [
            {
                what: "knocks in 0.6 s",
                published: "no run is shown",
                measured: runs.map((run) => String(knocks(run.probes).count)),
            },
            {
                what: "closed, of the time",
                published: "no run is shown",
                measured: runs.map((run) => percent(knocks(run.probes).closed, 2)),
            },
            {
                what: "pulls, of the time",
                published: "the contact is one-sided: never",
                measured: runs.map((run) => percent(knocks(run.probes).pulls, 2)),
            },
        ],
    },
    {
        id: "blow",
        title: "A hard blow in eight samples",
        paper: "Papetti, Avanzini and Rocchesso 2011, figure 5 and table 1",
        cite: "S. Papetti, F. Avanzini and D. Rocchesso, Numerical methods for a nonlinear impact model: a comparative study with closed-form corrections, 2011.",
        scene: "papetti2011/case1",
        about: [
            "A mass of 10 g hits a wall and loses next to nothing. The whole blow lasts eight samples. How fast does it leave? There is a closed answer, and four usual integrators miss it: three of them leave too fast, and two have more energy than they started with on the way.",
            "The paper's table gives the errors with three digits, and all of them come out here. The invariant scheme steps along the conserved curve of the motion itself: no error at any speed.",
            "Turn the stiffness: at 1e9 the blow is shorter than a sample, and only the invariant scheme comes to an end.",
        ],
        knobs: ["K", "mu", "v"],
        more: "",
        probes: ["u", "v", "f", "x"],
        schemes: ["am1", "verlet", "heun", "rk4"]
            .map((scheme) => ({ scheme, label: scheme }))
            .concat({ scheme: "invariant", label: "invariant", exact: true }),
        duration: 0.001,
        dots: true,
        to: 16,
        curves: (runs) => [
            {
                title: "Energy of the mass and its contact",
                unit: "% of the start",
                lines: runs.map((run) =>
                    run.energy.total.map((e, i) => (100 * e) / (run.energy.total[0] || 1)).slice(0, 16),
                ),
            },
            { title: "Velocity", unit: "m/s", lines: runs.map((run) => run.probes.v.slice(0, 16)), zero: true },
        ],
        numbers: (runs) => [
            {
                what: "error of the exit speed",
                published: "+1.293, +1.660, +1.467, −0.125 %",
                only: true,
                measured: runs.map((run) => signed(100 * (run.probes.v.at(-1) / runs.at(-1).probes.v.at(-1) - 1))),
            },
            {
                what: "error of the final energy",
                published: "+2.603, +3.348, +2.955, −0.250 %",
                only: true,
                measured: runs.map((run) =>
                    signed(100 * ((run.probes.v.at(-1) / runs.at(-1).probes.v.at(-1)) ** 2 - 1)),
                ),
            },
        ],
    },
];

/** Runs that came to their end; throws what is wrong where nothing is left to compare. */
function ended(figure, runs) {
    const needed = runs.find((run, i) => run.failed && (figure.apart || figure.schemes[i].exact)), good = runs.filter((run) => !run.failed);
    if (needed || !good.length) throw new Error((needed ?? runs[0]).failed);
    return good;
}

/** Curves of a figure; a run that failed has an empty one. */
export function curvesOf(figure, runs, set) {
    const curves = figure.curves(ended(figure, runs), set);
    if (figure.apart) return curves;
    for (const curve of curves) {
        const lines = [...curve.lines];
        curve.lines = runs.map((run) => (run.failed ? [] : lines.shift()));
    }
    return curves;
}

/** Numbers of a figure, a column for each run; of one that failed they are none. */
export function numbersOf(figure, runs, set) {
    const rows = figure.numbers(ended(figure, runs), set);
    for (const row of rows) {
        const measured = [...row.measured];
        row.measured = runs.map((run) => (run.failed ? "no run" : measured.shift()));
    }
    return rows;
}

/** Of the string of Bilbao 2014, figure 3: 0.8 m in 87 parts. */
function boundOf(run, set) {
    return depthBound({ K: set.K, alpha: 2.3, spacing: 0.8 / 87, energy: run.energy.total[1] });
}

/** Relative change of the total once nothing pushes any more: from 2 ms on. */
function lateDrift(run) {
    const from = Math.ceil(0.002 * run.rate),
        late = run.energy.total.slice(from);
    return (largest(late) - least(late)) / largest(late);
}

/** A run from what engine.render gives: the NumPy array of probes and the CSV of energies (null: not asked for). */
export function runOf(npy, csv, names, rate) {
    const probes = {};
    names.forEach(
        (name, c) => (probes[name] = Array.from({ length: npy.rows }, (_, i) => npy.data[i * npy.columns + c])),
    );
    if (csv === null) return { rate, probes, energy: null };
    const lines = csv
        .trim()
        .split("\n")
        .map((line) => line.split(","));
    const energy = {};
    lines[0].forEach((name, c) => (energy[name] = lines.slice(1).map((cells) => Number(cells[c]))));
    return { rate: rate ?? (npy.rows > 1 ? 1 / (energy.time[1] - energy.time[0]) : 1), probes, energy };
}
