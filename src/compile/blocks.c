// Blocks: links that a common force can move are solved together. Their G = B^T D^-1 B is made
// here, once.
//
// Links on a diagonal body (masses, explicit strings) meet where they share a degree of freedom;
// links on an implicit or modal string, or on one whose tension grows, all meet. The response of an
// implicit string dies away along it, so that its rows of G are short.
#include "compile/plan.h"
#include "step/live.h"
#include "wide/width.h"

#include <math.h>
#include <string.h>

enum {
    WIDE_LENGTH = 12,     // of the mean row of a block that is solved over lanes
    PROFILE_MAX = 1 << 22 // entries of one block's profile: 32 MB, some 2900 links all in touch
};
// Entries of G below this much of their diagonal are below the rounding of what they are added to.
static const double NOTHING = 1e-18;
// Work of making G for links that all meet: a few seconds.
static const double MOST_WORK = 3e9;

typedef struct block_maker {
    compile_plan* plan;
    const network_link* links; // in order of appearance
    int32_t n;
    int32_t* meeting;      // of each degree of freedom: where its links meet; -1: nowhere
    int32_t *begin, *list; // links at each meeting point
    int32_t* order;
    int32_t* sorted; // scratch
    uint8_t* seen;
    int32_t* leftmost;        // first link, in block order, at each meeting point
    double *force, *response; // over all degrees of freedom, zero between uses
} block_maker;

static const body_group* group_of(const sis_system* system, int32_t dof) {
    return body_group_of(system->body_groups, system->body_group_count, dof);
}

static void find_meetings(block_maker* m) {
    const sis_system* system = m->plan->system;
    for (int32_t b = 0; b < system->body_group_count; b++) {
        const body_group* bodies = &system->body_groups[b];
        for (int32_t i = bodies->first; i < bodies->first + bodies->count; i++)
            m->meeting[i] = b == GROUP_DRIVEN ? -1 : bodies->meet ? bodies->first : i;
    }
}

// The meeting point of the j-th degree of freedom of one end; -1: none.
static int32_t meeting_of(const block_maker* m, int32_t link, int32_t side, int32_t j) {
    const network_end* end = side ? &m->links[link].above : &m->links[link].below;
    if (j >= end->count) return -1;
    return m->meeting[network_dof(end, j)];
}

// The ends of a link on one string that all meet count as one degree of freedom.
static int32_t reach_of(const block_maker* m, int32_t link, int32_t side) {
    const network_end* end = side ? &m->links[link].above : &m->links[link].below;
    if (end->count < 2) return end->count;
    return m->meeting[network_dof(end, 0)] == m->meeting[network_dof(end, 1)] ? 1 : end->count;
}

static bool list_links(block_maker* m, sis_error* error) {
    int32_t dofs = m->plan->system->dof_count;
    size_t total = 0;
    m->begin = sis_arena_take(&m->plan->arena, ((size_t)dofs + 2) * sizeof(int32_t), error);
    if (!m->begin) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t l = 0; l < m->n; l++)
            for (int32_t side = 0; side < 2; side++)
                for (int32_t j = 0; j < reach_of(m, l, side); j++) {
                    int32_t at = meeting_of(m, l, side, j);
                    if (at < 0) continue;
                    if (pass == 0) {
                        m->begin[at + 2]++;
                        total++;
                    } else {
                        m->list[m->begin[at + 1]++] = l;
                    }
                }
        if (pass) break;
        for (int32_t i = 0; i < dofs; i++)
            m->begin[i + 2] += m->begin[i + 1];
        m->list = sis_arena_take(&m->plan->arena, total * sizeof(int32_t) + 1, error);
        if (!m->list) return false;
    }
    return true;
}

// Breadth first from `seed`, appending the links of its block to `order`; returns how many it holds
// then.
static int32_t walk(block_maker* m, int32_t seed, int32_t from, uint8_t mark) {
    int32_t end = from;
    m->order[end++] = seed;
    m->seen[seed] = mark;
    for (int32_t at = from; at < end; at++)
        for (int32_t side = 0; side < 2; side++)
            for (int32_t j = 0; j < reach_of(m, m->order[at], side); j++) {
                int32_t here = meeting_of(m, m->order[at], side, j);
                for (int32_t e = here < 0 ? 0 : m->begin[here];
                     e < (here < 0 ? 0 : m->begin[here + 1]); e++) {
                    int32_t other = m->list[e];
                    if (m->seen[other] == mark) continue;
                    m->seen[other] = mark;
                    m->order[end++] = other;
                }
            }
    return end;
}

// Does the link hold on to a body all of whose links meet?
static bool meets_all(const block_maker* m, int32_t link) {
    for (int32_t side = 0; side < 2; side++) {
        const network_end* end = side ? &m->links[link].above : &m->links[link].below;
        if (!end->count) continue;
        if (group_of(m->plan->system, end->first)->meet) return true;
    }
    return false;
}

// Shell sort: plain, and without libc's qsort, which may allocate.
static void sort(int32_t* values, int32_t count) {
    for (int32_t gap = count / 2; gap > 0; gap /= 2)
        for (int32_t i = gap; i < count; i++)
            for (int32_t j = i; j >= gap && values[j - gap] > values[j]; j -= gap) {
                int32_t swap = values[j];
                values[j] = values[j - gap];
                values[j - gap] = swap;
            }
}

// Places that move hold on to all of a body: last in a large block they leave the rows of the others
// short.
static void sliders_last(const block_maker* m, int32_t* order, int32_t count) {
    int32_t* other = m->sorted;
    int32_t kept = 0, moved = 0;
    for (int32_t i = 0; i < count; i++)
        if (m->links[order[i]].slides)
            other[moved++] = order[i];
        else
            order[kept++] = order[i];
    memcpy(order + kept, other, (size_t)moved * sizeof *order);
}

// Puts the links of a part into block order from `end` on and counts the blocks; block_size[i] for
// each block. Returns where they end.
static int32_t find_blocks(block_maker* m, int32_t part, int32_t end, int32_t* block_size) {
    sis_system* system = m->plan->system;
    for (int32_t l = 0; l < m->n; l++) {
        if (m->seen[l] || sis_part_of_link(m->plan, &m->links[l]) != part) continue;
        int32_t block_end = walk(m, l, end, 1);
        bool all = false;
        for (int32_t i = end; i < block_end; i++)
            all = all || meets_all(m, m->order[i]);
        // From the far end of the first walk a chain comes out in order, with a narrow profile.
        // Along a string the order of appearance is that of the places, with tension modulations at
        // the end.
        if (all)
            sort(m->order + end, block_end - end);
        else
            walk(m, m->order[block_end - 1], end, 2);
        if (!all && block_end - end > SQUARE_MOST) sliders_last(m, m->order + end, block_end - end);
        for (int32_t i = end; i < block_end; i++)
            m->seen[m->order[i]] = 2;
        block_size[system->block_count++] = block_end - end;
        end = block_end;
    }
    return end;
}

// ---------------------------------------------------------------------------- G

bool sis_block_slides(const sis_system* system, const network_block* block) {
    for (int32_t i = block->first; i < block->first + block->count; i++)
        if (system->links[i].slides) return true;
    return false;
}

// response = D^-1 B_link on what the link holds on to; `clear`: put the zeros back.
static void respond(block_maker* m, const network_link* link, bool clear) {
    sis_link_respond(m->plan->system, m->plan->Dinv, link, clear, m->force, m->response);
}

static double entry(const block_maker* m, const network_link* link) {
    return network_read(&link->below, m->response) - network_read(&link->above, m->response);
}

// Does any of its links hold on to a body whose answer to forces moves? Then so does what is nothing.
static bool retuned(const block_maker* m, const network_block* block) {
    const sis_system* system = m->plan->system;
    for (int32_t i = block->first; i < block->first + block->count; i++)
        for (int side = 0; side < 2; side++) {
            const network_end* end = side ? &system->links[i].above : &system->links[i].below;
            if (end->count && group_of(system, end->first)->retuned) return true;
        }
    return false;
}

// The first column of row i that is not nothing.
static int32_t first_column(block_maker* m, const network_block* block, int32_t i, bool all) {
    const network_link* links = m->plan->system->links + block->first;
    int32_t left = i;
    if (links[i].class->modulation || retuned(m, block)) return 0;
    if (!all) {
        for (int side = 0; side < 2; side++) {
            const network_end* end = side ? &links[i].above : &links[i].below;
            for (int32_t j = 0; j < end->count; j++) {
                int32_t here = m->meeting[network_dof(end, j)];
                if (here >= 0 && m->leftmost[here] - block->first < left)
                    left = m->leftmost[here] - block->first;
            }
        }
        return left;
    }
    // A place that moves may come near any other.
    if (links[i].slides) return 0;
    respond(m, &links[i], false);
    double own = entry(m, &links[i]);
    for (left = 0; left < i; left++)
        if (links[left].slides || fabs(entry(m, &links[left])) > NOTHING * own) break;
    respond(m, &links[i], true);
    return left;
}

// Errors from now on are about the contact, spring or bow of that group.
static void speak_of(const block_maker* m, int32_t group) {
    const sis_link_info* info = &m->plan->system->link_info[group];
    m->plan->object = sis_scene_find(m->plan->scene, info->kind, info->name);
}

// The same for the one that the link at that place belongs to. Its name; "": that of a string.
static const char* speak_of_link(const block_maker* m, int32_t at) {
    const sis_system* system = m->plan->system;
    for (int32_t g = 0; g < system->group_count; g++) {
        int32_t from_first = m->order[at] - system->groups[g].first;
        if (from_first < 0 || from_first >= system->groups[g].count) continue;
        speak_of(m, g);
        return system->link_info[g].name;
    }
    return "";
}

static bool refuse_profile(const block_maker* m, const network_block* block, sis_error* error) {
    speak_of_link(m, block->first);
    sis_fail(error, SIS_REFUSED,
             "%d points of contact that share bodies make a matrix that is too large: split the "
             "network into parts that do not touch, or take fewer points ('segments', a shorter "
             "range, or model = \"fd\", whose points do not meet)",
             (int)block->count);
    return false;
}

static bool shape_block(block_maker* m, network_block* block, bool all, size_t* size,
                        sis_error* error) {
    sis_system* system = m->plan->system;
    size_t n = (size_t)block->count;
    int32_t* row = sis_arena_take(&system->arena, n * sizeof *row, error);
    int32_t* last = sis_arena_take(&system->arena, n * sizeof *last, error);
    int32_t* near = sis_arena_take(&system->arena, n * sizeof *near, error);
    size_t* start = sis_arena_take(&system->arena, n * sizeof *start, error);
    if (!row || !last || !near || !start) return false;
    *size = 0;
    block->slide = block->count;
    while (block->slide && system->links[block->first + block->slide - 1].slides)
        block->slide--;
    for (int32_t i = 0; i < block->count; i++) {
        row[i] = first_column(m, block, i, all);
        last[i] = near[i] = i;
        *size += (size_t)(i - row[i] + 1);
        if (*size > PROFILE_MAX) return refuse_profile(m, block, error);
        if (system->links[block->first + i].class->modulation) continue;
        for (int32_t j = row[i]; j < i; j++)
            last[j] = i;
        for (int32_t j = row[i]; j < i && i < block->slide; j++)
            near[j] = i;
    }
    block->kernel = sis_wide(system->lanes)->profile;
    block->wide = block->count > SQUARE_MOST && *size >= WIDE_LENGTH * n;
    *size = 0;
    for (int32_t i = 0; i < block->count; i++) {
        start[i] = *size;
        *size += (size_t)(i - row[i] + 1 + (block->wide ? PROFILE_PAD : 0));
    }
    block->row = row;
    block->last = last;
    block->near = near;
    block->start = start;
    return true;
}

// The G of a small block once more as a square.
static bool make_square(sis_system* system, network_block* block, sis_error* error) {
    if (block->count < SQUARE_LEAST || block->count > SQUARE_MOST) return true;
    const int32_t side = network_square_side(block->count);
    double* square =
        sis_arena_take(&system->arena, (size_t)side * (size_t)side * sizeof *square, error);
    if (!square) return false;
    for (int32_t i = 0; i < block->count; i++)
        for (int32_t j = block->row[i]; j <= i; j++)
            square[i * side + j] = square[j * side + i] =
                block->G[block->start[i] + (size_t)(j - block->row[i])];
    block->square = square;
    return true;
}

static double entry_of(const network_block* block, int32_t i, int32_t j) {
    const int32_t high = i > j ? i : j, low = i > j ? j : i;
    if (low < block->row[high]) return 0;
    return block->G[block->start[high] + (size_t)(low - block->row[high])];
}

// One row of eight, from `at` on, if `column` is given; returns how many entries it has.
static int32_t sparse_row(const network_block* block, int32_t i, size_t at, int32_t* column,
                          double* G) {
    int32_t count = 0;
    for (int32_t j = block->row[i]; j <= block->last[i]; j++) {
        const double value = entry_of(block, i, j);
        if (value == 0) continue;
        if (column) column[at + 8 * (size_t)count] = j;
        if (column) G[at + 8 * (size_t)count] = value;
        count++;
    }
    return count;
}

// The rows of a wide block on a grid without their zeros, which are most of them: places share
// points of the grid with a few others, wherever those stand in the order.
static bool make_sparse(sis_system* system, network_block* block, size_t profile,
                        sis_error* error) {
    const int32_t groups = (block->count + 7) / 8;
    if (!block->wide || sis_block_slides(system, block)) return true;
    size_t* start = sis_arena_take(&system->arena, ((size_t)groups + 1) * sizeof *start, error);
    if (!start) return false;
    for (int32_t g = 0; g < groups; g++) {
        int32_t most = 0;
        for (int32_t i = 8 * g; i < 8 * g + 8 && i < block->count; i++) {
            const int32_t count = sparse_row(block, i, 0, NULL, NULL);
            if (count > most) most = count;
        }
        start[g + 1] = start[g] + 8 * (size_t)most;
    }
    if (start[groups] > profile) return true;
    int32_t* column = sis_arena_take(&system->arena, start[groups] * sizeof *column, error);
    double* G = sis_arena_take(&system->arena, start[groups] * sizeof *G, error);
    if (!column || !G) return false;
    for (int32_t i = 0; i < block->count; i++)
        sparse_row(block, i, start[i / 8] + (size_t)(i % 8), column, G);
    block->sparse = (sparse_rows){start, column, G};
    return true;
}

static bool make_block(block_maker* m, network_block* block, sis_error* error) {
    sis_system* system = m->plan->system;
    network_link* links = system->links + block->first;
    size_t size;
    bool all = false;
    double work = 0, reach = 1;
    for (int32_t i = 0; i < block->count; i++) {
        all = all || meets_all(m, m->order[block->first + i]);
        block->bowed = block->bowed || network_is_bow(&links[i]);
        reach = fmax(reach, links[i].below.count + links[i].above.count);
        for (int side = 0; side < 2; side++) { // a banded body is solved once for each link
            const network_end* end = side ? &links[i].above : &links[i].below;
            const body_group* bodies = end->count ? group_of(system, end->first) : NULL;
            if (bodies && !bodies->kind->diagonal) work += 30.0 * bodies->count;
        }
    }
    work += (double)block->count * block->count * reach;
    if (all && work > MOST_WORK) return refuse_profile(m, block, error);
    if (!shape_block(m, block, all, &size, error)) return false;
    double* G = sis_arena_take(&system->arena, size * sizeof *G, error);
    if (!G) return false;
    for (int32_t i = 0; i < block->count; i++) {
        if (links[i].class->modulation) continue;
        respond(m, &links[i], false);
        for (int32_t j = block->row[i]; j <= i; j++)
            G[block->start[i] + (size_t)(j - block->row[i])] = entry(m, &links[j]);
        links[i].G = G[block->start[i] + (size_t)(i - block->row[i])];
        respond(m, &links[i], true);
    }
    block->G = G;
    return make_square(system, block, error) &&
           (retuned(m, block) || make_sparse(system, block, size, error));
}

void sis_block_scratch(const network_block* block, block_scratch* most) {
    const int32_t last = block->count - 1;
    const size_t pad = block->wide ? PROFILE_PAD : 0;
    const size_t needs[] = {block->start[last] + (size_t)(last - block->row[last] + 1) + pad,
                            block->square ? network_square_size(block->count) : 0,
                            block->band ? sis_band_scratch(block->band) : 0};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i] > most->matrix) most->matrix = needs[i];
    const size_t panel = block->wide ? PROFILE_PANEL * ((size_t)block->count + PROFILE_PAD) : 0;
    if (panel > most->panel) most->panel = panel;
}

// ---------------------------------------------------------------------------- checks

// The schemes that follow one contact's own flow cannot share its bodies.
static bool check_sharing(const network_link* link, const char* name, sis_error* error) {
    const contact_law* law = link->contact;
    if (!law || law->scheme < SIS_SCHEME_EXACT) return true;
    sis_label label = sis_label_of(SIS_KIND_CONTACT, name);
    if (law->closed)
        sis_fail(error, SIS_REFUSED,
                 "%s: 'scheme' = \"exact\" needs points that do not move each other: a string of "
                 "model = "
                 "\"fd\" with points apart and nothing else on them; use ledger or newton here",
                 label.text);
    else
        sis_fail(
            error, SIS_REFUSED,
            "%s: 'scheme' = \"%s\" needs a contact whose bodies touch nothing else; here other "
            "contacts or springs share them: use ledger, quadratised or newton",
            label.text, sis_scheme_word(law->scheme));
    return false;
}

static bool refuse_rigid(const block_maker* m, int32_t at, sis_error* error) {
    const char* name = speak_of_link(m, at);
    sis_fail(error, SIS_REFUSED,
             "spring '%s': 'rigid': it is redundant: other rigid springs already hold its ends "
             "together; leave "
             "one of them out",
             name);
    return false;
}

// Rigid links of a block must not say the same thing twice: their part of G is positive definite.
static bool check_rigid(const block_maker* m, const network_block* block, sis_error* error) {
    const sis_system* system = m->plan->system;
    int32_t n = 0;
    for (int32_t i = 0; i < block->count; i++)
        n += system->links[block->first + i].class->rigid;
    if (n == 0) return true;
    double* L = sis_arena_take(&m->plan->arena, (size_t)n * (size_t)n * sizeof *L, error);
    int32_t* at = sis_arena_take(&m->plan->arena, (size_t)n * sizeof *at, error);
    if (!L || !at) return false;
    int32_t row = 0;
    for (int32_t i = 0; i < block->count; i++) {
        if (!system->links[block->first + i].class->rigid) continue;
        at[row] = i;
        double* mine = L + (size_t)row * (size_t)n;
        for (int32_t j = 0; j <= row; j++) {
            const double* other = L + (size_t)j * (size_t)n;
            double sum = at[j] < block->row[i]
                             ? 0
                             : block->G[block->start[i] + (size_t)(at[j] - block->row[i])];
            for (int32_t k = 0; k < j; k++)
                sum -= mine[k] * other[k];
            if (j < row)
                mine[j] = sum / other[j];
            else if (sum > 1e-9 * system->links[block->first + i].G)
                mine[j] = sqrt(sum);
            else
                return refuse_rigid(m, block->first + i, error);
        }
        row++;
    }
    return true;
}

static bool check_movable(const network_link* link, const sis_link_info* info, sis_error* error) {
    if (link->G > 1e-100) return true;
    const char* key = info->kind == SIS_KIND_SPRING ? "at_a" : "at";
    sis_fail_key(
        error, SIS_REFUSED, key,
        "%s '%s': '%s': a force there moves nothing: its place is too close to an end or edge, or "
        "both sides are the same point",
        sis_kind_word(info->kind), info->name, key);
    return false;
}

// The numbers of a group that only its links tell.
static bool finish_groups(block_maker* m, const int32_t* block_of, sis_error* error) {
    sis_system* system = m->plan->system;
    for (int32_t g = 0; g < system->group_count; g++) {
        const link_group* group = &system->groups[g];
        sis_link_info* info = &system->link_info[g];
        speak_of(m, g);
        for (int32_t i = group->first; i < group->first + group->count; i++) {
            int32_t at = system->link_at[i];
            const network_block* block = &system->blocks[block_of[at]];
            const network_link* link = &system->links[at];
            system->owner[at] = g;
            if (i == group->first) info->block = block_of[at];
            if (block->count > info->block_size) info->block_size = block->count;
            if (link->G > info->compliance) info->compliance = link->G;
            if (!check_movable(link, info, error)) return false;
            if (block->count > 1 && !check_sharing(link, info->name, error)) return false;
        }
        info->mass = system->k * system->k / info->compliance;
    }
    return true;
}

static bool take_room(block_maker* m, sis_error* error) {
    sis_system* system = m->plan->system;
    size_t n = (size_t)m->n, dofs = (size_t)system->dof_count;
    sis_arena* arena = &m->plan->arena;
    m->meeting = sis_arena_take(arena, dofs * sizeof(int32_t), error);
    m->leftmost = sis_arena_take(arena, dofs * sizeof(int32_t), error);
    m->order = sis_arena_take(arena, n * sizeof(int32_t) + 1, error);
    m->sorted = sis_arena_take(arena, n * sizeof(int32_t) + 1, error);
    m->seen = sis_arena_take(arena, n + 1, error);
    m->force = sis_arena_take(arena, dofs * sizeof(double), error);
    m->response = sis_arena_take(arena, dofs * sizeof(double), error);
    system->links = sis_arena_take(&system->arena, n * sizeof(network_link) + 1, error);
    system->link_at = sis_arena_take(&system->arena, n * sizeof(int32_t) + 1, error);
    system->owner = sis_arena_take(&system->arena, n * sizeof(int32_t) + 1, error);
    system->modulations = sis_arena_take(
        &system->arena, (size_t)system->modulation_count * sizeof(int32_t) + 1, error);
    return m->meeting && m->leftmost && m->order && m->sorted && m->seen && m->force &&
           m->response && system->links && system->link_at && system->owner && system->modulations;
}

bool sis_compile_blocks(compile_plan* plan, const network_link* links, sis_error* error) {
    sis_system* system = plan->system;
    block_maker m = {.plan = plan, .links = links, .n = system->link_count};
    if (!take_room(&m, error) || !sis_find_parts(plan, links, error)) return false;
    find_meetings(&m);
    int32_t* sizes = sis_arena_take(&plan->arena, (size_t)m.n * sizeof(int32_t) + 1, error);
    int32_t* block_of = sis_arena_take(&system->arena, (size_t)m.n * sizeof(int32_t) + 1, error);
    system->block_of = block_of;
    if (!sizes || !block_of || !list_links(&m, error)) return false;
    for (int32_t part = 0, end = 0; part < system->part_count; part++)
        end = find_blocks(&m, part, end, sizes);
    system->modulation_count = 0;
    for (int32_t i = 0; i < m.n; i++) {
        system->links[i] = links[m.order[i]];
        system->link_at[m.order[i]] = i;
        system->owner[i] = -1;
        if (system->links[i].class->modulation) system->modulations[system->modulation_count++] = i;
    }
    for (int32_t i = m.n - 1; i >= 0; i--)
        for (int side = 0; side < 2; side++) {
            const network_end* end = side ? &system->links[i].above : &system->links[i].below;
            for (int32_t j = 0; j < end->count; j++)
                if (m.meeting[network_dof(end, j)] >= 0)
                    m.leftmost[m.meeting[network_dof(end, j)]] = i;
        }
    system->blocks = sis_arena_take(&system->arena,
                                    (size_t)system->block_count * sizeof(network_block) + 1, error);
    if (!system->blocks) return false;
    int32_t at = 0;
    block_scratch most = {0, 0};
    for (int32_t b = 0; b < system->block_count; b++) {
        network_block* block = &system->blocks[b];
        *block = (network_block){.first = at, .count = sizes[b]};
        for (; at < block->first + block->count; at++)
            block_of[at] = b;
        if (!make_block(&m, block, error) || !check_rigid(&m, block, error) ||
            !sis_compile_band(plan, block, error))
            return false;
        sis_block_scratch(block, &most);
    }
    system->matrix_size = most.matrix;
    system->panel_size = most.panel;
    for (int32_t i = 0; i < system->bow_count; i++)
        system->bows[i].link = system->link_at[system->bows[i].link];
    return finish_groups(&m, block_of, error);
}
