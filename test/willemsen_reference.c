// The systems of Willemsen 2019 as the paper solves them; numbers in brackets are its equations.
#include "willemsen_reference.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---------------------------------------------------------------------------- bodies
//
// Each row is written as  inertia u+ = row + force:  inertia is what stands before u^{n+1}.

static wil_real mass_inertia(const wil_mass* m, wil_real k) {
    return m->M / (k * k) + m->M * m->R / (2 * k);
}

static wil_real mass_row(const wil_mass* m, wil_real k) {
    return m->M / (k * k) * (2 * m->u - m->before) - m->M * m->omega * m->omega * m->u +
           m->M * m->R / (2 * k) * m->before;
}

static wil_real string_inertia(const wil_string* s, wil_real k) {
    return s->rhoA / (k * k) + s->rhoA * s->s0 / k;
}

static wil_real dxx(const wil_real* u, wil_real h) {
    return (u[1] - 2 * u[0] + u[-1]) / (h * h);
}

static wil_real dxxxx(const wil_real* u, wil_real h) {
    return (u[2] - 4 * u[1] + 6 * u[0] - 4 * u[-1] + u[-2]) / (h * h * h * h);
}

static wil_real string_row(const wil_string* s, wil_real k, int l) {
    const wil_real *u = s->u + l + WIL_PAD, *v = s->before + l + WIL_PAD;
    return s->rhoA / (k * k) * (2 * u[0] - v[0]) + s->T * dxx(u, s->h) - s->EI * dxxxx(u, s->h) +
           s->rhoA * s->s0 / k * v[0] + 2 * s->rhoA * s->s1 * (dxx(u, s->h) - dxx(v, s->h)) / k;
}

// Ghosts of supported ends: u_-1 = -u_1.
static void string_ghosts(const wil_string* s, wil_real* u) {
    wil_real *first = u + WIL_PAD, *last = u + WIL_PAD + s->N;
    first[0] = last[0] = 0;
    first[-1] = -first[1];
    last[1] = -last[-1];
}

static void string_free(wil_string* s, wil_real k) {
    string_ghosts(s, s->u);
    string_ghosts(s, s->before);
    for (int l = 1; l < s->N; l++)
        s->next[l + WIL_PAD] = string_row(s, k, l) / string_inertia(s, k);
}

static wil_real plate_inertia(const wil_plate* p, wil_real k) {
    return p->rhoH / (k * k) + p->rhoH * p->s0 / k;
}

static wil_real laplace(wil_real (*u)[WIL_NY], wil_real h, int x, int y) {
    return (u[x + 1][y] + u[x - 1][y] + u[x][y + 1] + u[x][y - 1] - 4 * u[x][y]) / (h * h);
}

// The 13 points of (68c).
static wil_real bilaplace(wil_real (*u)[WIL_NY], wil_real h, int x, int y) {
    const wil_real near = u[x + 1][y] + u[x - 1][y] + u[x][y + 1] + u[x][y - 1];
    const wil_real far = u[x + 2][y] + u[x - 2][y] + u[x][y + 2] + u[x][y - 2];
    const wil_real across = u[x + 1][y + 1] + u[x + 1][y - 1] + u[x - 1][y + 1] + u[x - 1][y - 1];
    return (20 * u[x][y] - 8 * near + 2 * across + far) / (h * h * h * h);
}

static void plate_ghosts(const wil_plate* p, wil_real (*u)[WIL_NY], wil_real edge) {
    const int a = WIL_PAD, right = a + p->Nx, top = a + p->Ny;
    for (int y = a; y <= top; y++) {
        u[a][y] = u[right][y] = 0;
        u[a - 1][y] = edge * u[a + 1][y];
        u[right + 1][y] = edge * u[right - 1][y];
    }
    for (int x = a; x <= right; x++) {
        u[x][a] = u[x][top] = 0;
        u[x][a - 1] = edge * u[x][a + 1];
        u[x][top + 1] = edge * u[x][top - 1];
    }
}

static wil_real plate_row(wil_plate* p, wil_real k, int x, int y) {
    x += WIL_PAD;
    y += WIL_PAD;
    return p->rhoH / (k * k) * (2 * p->u[x][y] - p->before[x][y]) -
           p->D * bilaplace(p->u, p->h, x, y) + p->rhoH * p->s0 / k * p->before[x][y] +
           2 * p->rhoH * p->s1 * (laplace(p->u, p->h, x, y) - laplace(p->before, p->h, x, y)) / k;
}

void wil_plate_free(wil_plate* p, wil_real k, wil_real edge) {
    plate_ghosts(p, p->u, edge);
    plate_ghosts(p, p->before, edge);
    for (int x = 1; x < p->Nx; x++)
        for (int y = 1; y < p->Ny; y++)
            p->next[x + WIL_PAD][y + WIL_PAD] = plate_row(p, k, x, y) / plate_inertia(p, k);
}

static void advance(wil* w) {
    for (int i = 0; i < 2; i++) {
        w->mass[i].before = w->mass[i].u;
        w->mass[i].u = w->mass[i].next;
        memcpy(w->string[i].before, w->string[i].u, sizeof w->string[i].u);
        memcpy(w->string[i].u, w->string[i].next, sizeof w->string[i].u);
    }
    memcpy(w->plate.before, w->plate.u, sizeof w->plate.u);
    memcpy(w->plate.u, w->plate.next, sizeof w->plate.u);
}

// ---------------------------------------------------------------------------- contacts

static wil_real phi(const wil_contact* c, wil_real eta) {
    const wil_real x = c->both ? fabsl(eta) : fmaxl(eta, 0);
    return c->K / (c->alpha + 1) * powl(x, c->alpha + 1);
}

// (12), and (75) with the odd psi, whose slope is positive on both sides.
static wil_real slope(const wil_contact* c, wil_real eta) {
    const wil_real x = c->both ? fabsl(eta) : eta;
    return x > 0 ? sqrtl(c->K * (c->alpha + 1) / 2) * powl(x, (c->alpha - 1) / 2) : 0;
}

// psi^{1/2}: (9) for the odd psi; of one-sided laws that with the energy (phi^0 + phi^1)/2.
static wil_real first_psi(const wil_contact* c, wil_real eta, wil_real before) {
    if (!c->both) return sqrtl(phi(c, eta) + phi(c, before));
    return (copysignl(sqrtl(2 * phi(c, eta)), eta) + copysignl(sqrtl(2 * phi(c, before)), before)) /
           2;
}

// (10b), (18) with its g.
static void follow(wil_contact* c, wil_real g, wil_real next) {
    c->psi += g * (next - c->before) / 2;
    c->before = c->eta;
    c->eta = next;
}

static wil_real on_string(const wil* w, const wil_real* u) {
    return u[w->at + WIL_PAD];
}

static wil_real on_plate(wil* w, wil_real (*v)[WIL_NY]) {
    return v[w->at_x + WIL_PAD][w->at_y + WIL_PAD];
}

static wil_real string_eta(const wil_real* u, const wil_real* v, int l) {
    return v[l + WIL_PAD] - u[l + WIL_PAD];
}

// eta of both contacts at one time: string u, masses m, plate v.
static void etas(wil* w, const wil_real* u, const wil_real* m, wil_real (*v)[WIL_NY],
                 wil_real* eta) {
    switch (w->system) {
    case WIL_MASS_BARRIER:
        eta[0] = m[0] - w->barrier;
        break;
    case WIL_MASS_MASS:
        eta[0] = m[1] - m[0];
        break;
    case WIL_MASS_STRING:
    case WIL_MASS_STRING_PHI:
        eta[0] = m[0] - on_string(w, u);
        break;
    case WIL_TROMBA7:
        eta[0] = on_plate(w, v) - m[0];
        break;
    case WIL_TROMBA8:
    case WIL_TROMBA8_SPEEDS:
        eta[0] = m[0] - on_string(w, u);
        eta[1] = on_plate(w, v) - m[0];
        break;
    case WIL_APPENDIX_C:
    case WIL_APPENDIX_E:
        eta[0] = m[0] - on_string(w, u);
        eta[1] = w->barrier - m[0];
        break;
    default:
        break;
    }
    eta[0] -= w->contact[0].gap;
    eta[1] -= w->contact[1].gap;
}

void wil_start(wil* w) {
    const wil_real now[2] = {w->mass[0].u, w->mass[1].u};
    const wil_real before[2] = {w->mass[0].before, w->mass[1].before};
    wil_real eta[2] = {0, 0}, eta_before[2] = {0, 0};
    etas(w, w->string[0].u, now, w->plate.u, eta);
    etas(w, w->string[0].before, before, w->plate.before, eta_before);
    for (int c = 0; c < 2; c++) {
        w->contact[c].eta = eta[c];
        w->contact[c].before = eta_before[c];
        w->contact[c].psi = first_psi(&w->contact[c], eta[c], eta_before[c]);
    }
    w->eta_s = on_string(w, w->string[0].u) - now[0];
    w->eta_s_before = on_string(w, w->string[0].before) - before[0];
    for (int l = 1; w->system == WIL_STRING_STRING && l < w->string[0].N; l++)
        w->psi[l] = first_psi(&w->contact[0], string_eta(w->string[0].u, w->string[1].u, l),
                              string_eta(w->string[0].before, w->string[1].before, l));
}

// ---------------------------------------------------------------------------- small systems

static void solve2(wil_real (*A)[2], const wil_real* v, wil_real* x) {
    const wil_real det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    x[0] = (v[0] * A[1][1] - A[0][1] * v[1]) / det;
    x[1] = (A[0][0] * v[1] - A[1][0] * v[0]) / det;
}

static void solve3(wil_real (*A)[3], const wil_real* v, wil_real* x) {
    wil_real R[3][4];
    for (int i = 0; i < 3; i++) {
        memcpy(R[i], A[i], sizeof A[i]);
        R[i][3] = v[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            for (int c = 3; c >= i; c--)
                R[j][c] -= R[j][i] / R[i][i] * R[i][c];
    for (int i = 2; i >= 0; i--) {
        x[i] = R[i][3];
        for (int j = i + 1; j < 3; j++)
            x[i] -= R[i][j] * x[j];
        x[i] /= R[i][i];
    }
}

// ---------------------------------------------------------------------------- the systems

// (16), (21)
static void mass_barrier(wil* w) {
    wil_mass* m = &w->mass[0];
    wil_contact* c = &w->contact[0];
    const wil_real g = slope(c, c->eta);
    m->next = (mass_row(m, w->k) + g * g / 4 * m->before - c->psi * g) /
              (mass_inertia(m, w->k) + g * g / 4);
    follow(c, g, m->next - w->barrier);
}

// (24), with omega^2
static void mass_mass(wil* w) {
    wil_contact* c = &w->contact[0];
    const wil_real g = slope(c, c->eta), s = g * g / 4;
    wil_real A[2][2] = {{mass_inertia(&w->mass[0], w->k) + s, -s},
                        {-s, mass_inertia(&w->mass[1], w->k) + s}};
    const wil_real v[2] = {mass_row(&w->mass[0], w->k) - s * c->before + c->psi * g,
                           mass_row(&w->mass[1], w->k) + s * c->before - c->psi * g};
    wil_real x[2];
    solve2(A, v, x);
    w->mass[0].next = x[0];
    w->mass[1].next = x[1];
    follow(c, g, x[1] - x[0]);
}

// (27), point by point
static void string_string(wil* w) {
    wil_string *upper = &w->string[0], *lower = &w->string[1];
    for (int i = 0; i < 2; i++)
        string_free(&w->string[i], w->k); // for its ghosts
    for (int l = 1; l < upper->N; l++) {
        const wil_real eta = string_eta(upper->u, lower->u, l);
        const wil_real before = string_eta(upper->before, lower->before, l);
        const wil_real g = slope(&w->contact[0], eta), s = g * g / 4;
        wil_real A[2][2] = {{string_inertia(upper, w->k) + s, -s},
                            {-s, string_inertia(lower, w->k) + s}};
        const wil_real v[2] = {string_row(upper, w->k, l) - s * before + w->psi[l] * g,
                               string_row(lower, w->k, l) + s * before - w->psi[l] * g};
        wil_real x[2];
        solve2(A, v, x);
        upper->next[l + WIL_PAD] = x[0];
        lower->next[l + WIL_PAD] = x[1];
        w->psi[l] += g * (x[1] - x[0] - before) / 2;
    }
}

// (30) with g^2/4 in A22
static void mass_string(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_contact* c = &w->contact[0];
    string_free(s, w->k);
    const wil_real g = slope(c, c->eta), a = g * g / 4;
    wil_real A[2][2] = {{string_inertia(s, w->k) + a / s->h, -a / s->h},
                        {-a, mass_inertia(m, w->k) + a}};
    const wil_real v[2] = {string_row(s, w->k, w->at) + (-a * c->before + c->psi * g) / s->h,
                           mass_row(m, w->k) + a * c->before - c->psi * g};
    wil_real x[2];
    solve2(A, v, x);
    s->next[w->at + WIL_PAD] = x[0];
    m->next = x[1];
    follow(c, g, x[1] - x[0]);
}

typedef struct chord {
    wil_real value, slope; // of (phi(x) - phi(a))/(x - a) over x
} chord;

static chord chord_of(const wil_contact* c, wil_real a, wil_real x) {
    const wil_real t = c->alpha + 1.0L, r = x - a;
    const wil_real middle = fmaxl(a + r / 2, 0);
    if (fabsl(r) < 1e-8L * (fabsl(a) + fabsl(x)))
        return (chord){c->K * powl(middle, t - 1),
                       middle > 0 ? c->K * (t - 1) * powl(middle, t - 2) / 2 : 0};
    const wil_real x_part = c->K / t * powl(fmaxl(x, 0), t);
    const wil_real a_part = c->K / t * powl(fmaxl(a, 0), t);
    const wil_real value = (x_part - a_part) / r;
    return (chord){value, (c->K * powl(fmaxl(x, 0), t - 1) - value) / r};
}

// (34) with +, (35), (36), (37) as the derivative of (34)
static void mass_string_phi(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_contact* c = &w->contact[0];
    string_free(s, w->k);
    const wil_real free_s = on_string(w, s->next),
                   free_m = mass_row(m, w->k) / mass_inertia(m, w->k);
    const wil_real part_s = 1 / (s->h * string_inertia(s, w->k)),
                   part_m = 1 / mass_inertia(m, w->k);
    const wil_real b = free_s - free_m, both = part_s + part_m;
    wil_real x = -b, low = c->before - 1, high = -b; // G rises: its root is at most at -b
    chord at = chord_of(c, c->before, x);
    for (int i = 0; i < 100; i++) {
        at = chord_of(c, c->before, x);
        const wil_real G = x + both * at.value + b;
        if (G > 0) high = x;
        if (G < 0) low = x;
        wil_real next = x - G / (1 + both * at.slope);
        if (!(next >= low && next <= high)) next = (low + high) / 2;
        if (fabsl(next - x) <= 1e-19L * fabsl(x)) break;
        x = next;
    }
    s->next[w->at + WIL_PAD] = free_s + part_s * at.value;
    m->next = free_m - part_m * at.value;
    c->before = c->eta;
    c->eta = m->next - on_string(w, s->next);
}

// (50) to (58) and (65), losses in 1/s as in section 8
static void tromba7(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_plate* p = &w->plate;
    wil_contact* c = &w->contact[0];
    string_free(s, w->k);
    wil_plate_free(p, w->k, -1);
    const wil_real g = slope(c, c->eta), a = g * g / 4, hp2 = p->h * p->h;
    const wil_real ms = string_inertia(s, w->k), mb = mass_inertia(m, w->k),
                   mp = plate_inertia(p, w->k);
    const wil_real soft = w->K1 / 4 + w->K3 * w->eta_s * w->eta_s / 2, loss = w->damp / (2 * w->k);
    const wil_real plus = soft + loss, minus = soft - loss;
    const wil_real Psi = 1 / plus + 1 / (s->h * ms) + 1 / (mb + a);
    const wil_real Theta = a / (Psi * (mb + a));
    // gap: the paper's eta_c, with the offset of the public program in it
    const wil_real from = c->before + c->gap;
    const wil_real known = mass_row(m, w->k) - a * from + c->psi * g;
    const wil_real F = (w->K1 * w->eta_s / (2 * plus) + minus / plus * w->eta_s_before +
                        on_string(w, s->next) - known / (mb + a)) /
                       Psi;
    wil_real A[3][3] = {
        {ms, 0, -Theta / s->h}, {0, mb + a, Theta - a}, {0, -a / hp2, mp + a / hp2}};
    const wil_real v[3] = {string_row(s, w->k, w->at) - F / s->h, known + F,
                           plate_row(p, w->k, w->at_x, w->at_y) + (a * from - c->psi * g) / hp2};
    wil_real x[3];
    solve3(A, v, x);
    s->next[w->at + WIL_PAD] = x[0];
    m->next = x[1];
    p->next[w->at_x + WIL_PAD][w->at_y + WIL_PAD] = x[2];
    w->eta_s_before = w->eta_s;
    w->eta_s = x[0] - x[1];
    follow(c, g, x[2] - x[1] - c->gap);
}

// (78)
static void tromba8(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_plate* p = &w->plate;
    wil_contact *c1 = &w->contact[0], *c2 = &w->contact[1];
    string_free(s, w->k);
    wil_plate_free(p, w->k, -1);
    const wil_real g1 = slope(c1, c1->eta), a1 = g1 * g1 / 4, hs = s->h;
    const wil_real g2 = slope(c2, c2->eta), a2 = g2 * g2 / 4, hp2 = p->h * p->h;
    wil_real A[3][3] = {{string_inertia(s, w->k) + a1 / hs, -a1 / hs, 0},
                        {-a1, mass_inertia(m, w->k) + a1 + a2, -a2},
                        {0, -a2 / hp2, plate_inertia(p, w->k) + a2 / hp2}};
    const wil_real f1 = a1 * (c1->before + c1->gap) - c1->psi * g1;
    const wil_real f2 = a2 * (c2->before + c2->gap) - c2->psi * g2;
    const wil_real v[3] = {string_row(s, w->k, w->at) - f1 / hs, mass_row(m, w->k) + f1 - f2,
                           plate_row(p, w->k, w->at_x, w->at_y) + f2 / hp2};
    wil_real x[3];
    solve3(A, v, x);
    s->next[w->at + WIL_PAD] = x[0];
    m->next = x[1];
    p->next[w->at_x + WIL_PAD][w->at_y + WIL_PAD] = x[2];
    follow(c1, g1, x[1] - x[0] - c1->gap);
    follow(c2, g2, x[2] - x[1] - c2->gap);
}

// (79) to (83)
static void tromba8_speeds(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_plate* p = &w->plate;
    wil_contact *c1 = &w->contact[0], *c2 = &w->contact[1];
    const wil_real k = w->k, g1 = slope(c1, c1->eta), g2 = slope(c2, c2->eta);
    string_free(s, k);
    wil_plate_free(p, k, -1);
    const wil_real ws = 2 * m->M * (2 + m->R * k), ss = 4 * s->rhoA * s->h * (1 + s->s0 * k),
                   ps = 4 * p->h * p->h * p->rhoH * (1 + p->s0 * k);
    const wil_real kk1 = g1 * g1 * k * k, kk2 = g2 * g2 * k * k;
    wil_real A[2][2] = {{1 + kk1 / ws + kk1 / ss, -kk2 / ws}, {-kk1 / ws, 1 + kk2 / ws + kk2 / ps}};
    const wil_real uI = on_string(w, s->next), vI = on_plate(w, p->next);
    const wil_real wI = mass_row(m, k) / mass_inertia(m, k);
    const wil_real push1 = c1->psi * g1, push2 = c2->psi * g2;
    const wil_real v[2] = {(wI - m->before - uI + on_string(w, s->before)) / (2 * k) -
                               2 * k * (push1 - push2) / ws - 2 * k * push1 / ss,
                           (vI - on_plate(w, p->before) - wI + m->before) / (2 * k) +
                               2 * k * (push1 - push2) / ws - 2 * k * push2 / ps};
    wil_real x[2];
    solve2(A, v, x);
    const wil_real f1 = g1 * g1 * k / 2 * x[0] + push1, f2 = g2 * g2 * k / 2 * x[1] + push2;
    s->next[w->at + WIL_PAD] = uI + 4 * k * k / ss * f1;
    m->next = wI - 4 * k * k / ws * (f1 - f2);
    p->next[w->at_x + WIL_PAD][w->at_y + WIL_PAD] = vI - 4 * k * k / ps * f2;
    follow(c1, g1, c1->before + 2 * k * x[0]);
    follow(c2, g2, c2->before + 2 * k * x[1]);
}

// (91), solved for u_m and w as in sections 4 and 6
static void appendix_c(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_contact *c1 = &w->contact[0], *c2 = &w->contact[1];
    string_free(s, w->k);
    const wil_real g1 = slope(c1, c1->eta), a1 = g1 * g1 / 4;
    const wil_real g2 = slope(c2, c2->eta), a2 = g2 * g2 / 4;
    wil_real A[2][2] = {{string_inertia(s, w->k) + a1 / s->h, -a1 / s->h},
                        {-a1, mass_inertia(m, w->k) + a1 + a2}};
    const wil_real f1 = a1 * c1->before - c1->psi * g1;
    const wil_real v[2] = {string_row(s, w->k, w->at) - f1 / s->h,
                           mass_row(m, w->k) + f1 + a2 * m->before + c2->psi * g2};
    wil_real x[2];
    solve2(A, v, x);
    s->next[w->at + WIL_PAD] = x[0];
    m->next = x[1];
    follow(c1, g1, x[1] - x[0]);
    follow(c2, g2, w->barrier - x[1]);
}

// The final A and v of appendix E, then (95) and (100)
static void appendix_e(wil* w) {
    wil_string* s = &w->string[0];
    wil_mass* m = &w->mass[0];
    wil_contact *cm = &w->contact[0], *cb = &w->contact[1];
    const wil_real k = w->k, gm = slope(cm, cm->eta), gb = slope(cb, cb->eta);
    string_free(s, k);
    const wil_real bb = k * k * gb * gb / (4 * m->M), bm = k * k * gm * gm / (4 * m->M);
    wil_real A[2][2] = {{1 + bb, -bm}, {-bb, 1 + bm + k * k * gm * gm / (4 * s->rhoA * s->h)}};
    const wil_real pm = k * gm * cm->psi / 2, pb = k * gb * cb->psi / 2;
    const wil_real speed = (m->u - m->before) / k;
    const wil_real* u = s->u + w->at + WIL_PAD;
    const wil_real v[2] = {-speed + pm / m->M - pb / m->M,
                           speed - pm / m->M + pb / m->M - (u[0] - s->before[w->at + WIL_PAD]) / k -
                               s->T * k / (2 * s->rhoA) * dxx(u, s->h) - pm / (s->rhoA * s->h)};
    wil_real x[2];
    solve2(A, v, x);
    m->next = m->before - 2 * k * x[0];
    s->next[w->at + WIL_PAD] = s->before[w->at + WIL_PAD] - 2 * k * x[0] - 2 * k * x[1];
    follow(cm, gm, m->next - on_string(w, s->next));
    follow(cb, gb, w->barrier - m->next);
}

void wil_step(wil* w) {
    static void (*const steps[WIL_SYSTEMS])(wil*) = {
        mass_barrier, mass_mass, string_string,  mass_string, mass_string_phi,
        tromba7,      tromba8,   tromba8_speeds, appendix_c,  appendix_e};
    steps[w->system](w);
    advance(w);
}

// ---------------------------------------------------------------------------- measuring

void wil_ringing(const double* x, int count, double rate, double guess, double* frequency,
                 double* decay) {
    const int stride = guess > rate / 12 ? 1 : (int)(rate / (6 * guess));
    double aa = 0, ab = 0, bb = 0, ay = 0, by = 0; // y = p a + q b,  a = x, b = x-
    for (int n = stride; n + stride < count; n++) {
        aa += x[n] * x[n];
        ab += x[n] * x[n - stride];
        bb += x[n - stride] * x[n - stride];
        ay += x[n] * x[n + stride];
        by += x[n - stride] * x[n + stride];
    }
    const double det = aa * bb - ab * ab;
    const double p = (ay * bb - by * ab) / det, q = (aa * by - ab * ay) / det;
    *decay = -0.5 * log(-q) * rate / stride;
    *frequency = acos(0.5 * p / sqrt(-q)) * rate / (2 * PI * stride);
}

// Phase of x at the frequency f under a window cos^4, over `count` samples; time counts from the
// first.
static double phase_of(const double* x, int count, double rate, double f) {
    double re = 0, im = 0;
    for (int n = 0; n < count; n++) {
        const double s = sin(PI * (n + 0.5) / count), w = s * s * s * s;
        re += w * x[n] * cos(2 * PI * f * n / rate);
        im -= w * x[n] * sin(2 * PI * f * n / rate);
    }
    return atan2(im, re);
}

double wil_frequency(const double* x, int count, double rate, double guess) {
    const int window = count / 2;
    // First neighbours in time, so that no turn of the phase is missed; then further apart.
    for (int apart = count / 32; apart <= count - window; apart *= 2) {
        const double turn = phase_of(x + apart, window, rate, guess) -
                            phase_of(x, window, rate, guess) - 2 * PI * guess * apart / rate;
        guess += remainder(turn, 2 * PI) * rate / (2 * PI * apart);
    }
    return guess;
}

double wil_cents(double measured, double exact) {
    return 1200 * log2(measured / exact);
}
