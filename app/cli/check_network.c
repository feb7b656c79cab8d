// The network as text. Bodies are the nodes of a graph, contacts and springs its edges. It is
// printed as chains, "string1 (fd, 226) --foot-- bridge --rattle-- body (fd, 134 x 17)", each as
// long as possible; a body that was printed before is only named again.

#include "check_network.h"

#include "facts.h"
#include "say.h"
#include "table.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INDENT    10 // of everything that check prints
#define LINES_MAX 40 // of chains; a scene may have thousands of bodies
#define CHAIN_MAX 60 // links of one chain
#define NAMES_MAX 12 // of the links of a block

typedef struct edge {
    int32_t link, a, b; // bodies; -1: the ground
    bool told;
} edge;

typedef struct graph {
    const sis_system* system;
    int32_t node_count, edge_count;
    edge* edges;
    bool* told;      // [node_count]
    int32_t* degree; // [node_count], edges that are not told yet
    int lines;
    int column; // where the line goes on
    bool begun; // something stands in it
} graph;

// ---------------------------------------------------------------------------- words

/** "string1 (fd, 226)": a body when it is named first. */
static void node_text(const graph* g, int32_t node, char* text, size_t size) {
    if (node < 0) {
        snprintf(text, size, "ground");
        return;
    }
    sis_body_info b = sis_system_body(g->system, node);
    char more[96] = "", model[32];
    if (b.kind == SIS_KIND_BARRIER) snprintf(more, sizeof more, " (barrier)");
    if (b.driven) snprintf(more, sizeof more, " (driven)");
    if (b.kind == SIS_KIND_MODAL)
        snprintf(more, sizeof more, " (%d %s)", (int)b.modes,
                 sis_plural((uint64_t)b.modes, "mode", "modes"));
    if (b.kind == SIS_KIND_STRING) {
        bool modal = b.model == SIS_STRING_MODAL;
        sis_fact_word(SIS_KIND_STRING, "model", (int)b.model, model, sizeof model);
        snprintf(more, sizeof more, modal ? " (%s, %d %s)" : " (%s, %d)", model,
                 (int)(modal ? b.modes : b.segments),
                 sis_plural((uint64_t)b.modes, "mode", "modes"));
    }
    if (b.kind == SIS_KIND_PLATE && b.plate_model == SIS_PLATE_MODAL)
        snprintf(more, sizeof more, " (modal, %d %s)", (int)b.modes,
                 sis_plural((uint64_t)b.modes, "mode", "modes"));
    if (b.kind == SIS_KIND_PLATE && b.plate_model == SIS_PLATE_FD)
        snprintf(more, sizeof more, " (fd, %d x %d)", (int)b.segments, (int)b.segments_y);
    snprintf(text, size, "%s%s", b.name, g->told[node] ? "" : more);
}

/** Adds ", word" to a list in brackets. */
static void add_word(char* list, size_t size, const char* word) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

/** "--rattle (1 point, gap 5 µm)--". Points are counted where a side has places. */
static void edge_text(const graph* g, const edge* e, char* text, size_t size) {
    sis_link_info link = sis_system_link(g->system, e->link);
    sis_contact_point first = sis_system_contact_point(g->system, e->link, 0);
    bool placed = !isnan(first.at_above) || !isnan(first.at_below);
    char list[160] = "", word[96], gap[48];
    if (link.kind == SIS_KIND_SPRING) add_word(list, sizeof list, "spring");
    if (link.kind == SIS_KIND_SPRING && isinf(link.K)) add_word(list, sizeof list, "rigid");
    if (link.kind == SIS_KIND_CONTACT && link.law != SIS_LAW_ONE_SIDED)
        add_word(list, sizeof list,
                 sis_fact_word(SIS_KIND_CONTACT, "law", (int)link.law, word, sizeof word));
    if (placed && link.kind == SIS_KIND_CONTACT) {
        snprintf(word, sizeof word, "%d %s", (int)link.points,
                 sis_plural((uint64_t)link.points, "point", "points"));
        add_word(list, sizeof list, word);
    }
    if (link.kind == SIS_KIND_CONTACT && link.gap != 0) {
        snprintf(word, sizeof word, "gap %s", sis_unit_print(gap, sizeof gap, link.gap, "m", 4));
        add_word(list, sizeof list, word);
    }
    snprintf(text, size, *list ? "--%s (%s)--" : "--%s--", link.name, list);
}

// ---------------------------------------------------------------------------- chains

static bool is_barrier(const graph* g, int32_t node) {
    return node < 0 || sis_system_body(g->system, node).kind == SIS_KIND_BARRIER;
}

/** Where a chain begins: at an end, rather with a body than with a wall, and rather with one that
 *  is known already, so that chains hang together. -1: all edges are told. */
static int32_t choose_start(const graph* g) {
    int32_t best = -1;
    int most = -1;
    for (int32_t i = 0; i < g->node_count; i++) {
        if (!g->degree[i]) continue;
        int score = (g->told[i] ? 4 : 0) + (is_barrier(g, i) ? 0 : 2) + (g->degree[i] % 2);
        if (score > most) {
            most = score;
            best = i;
        }
    }
    return best;
}

/** The next edge from a node: rather to a body that goes on than to a wall. NULL: none is left. */
static edge* choose_edge(const graph* g, int32_t node) {
    edge* best = NULL;
    int most = -1;
    for (int32_t i = 0; i < g->edge_count; i++) {
        edge* e = &g->edges[i];
        if (e->told || (e->a != node && e->b != node)) continue;
        int32_t other = e->a == node ? e->b : e->a;
        int score = is_barrier(g, other) ? 0 : g->degree[other] > 1 ? 2 : 1;
        if (score > most) {
            most = score;
            best = e;
        }
    }
    return best;
}

static int characters(const char* text) {
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/** Prints a word; a line that gets too long goes on below, further to the right. */
static void put(graph* g, const char* word) {
    if (g->begun && g->column + 1 + characters(word) > TABLE_WIDTH) {
        printf("\n%*s", INDENT + 4, "");
        g->column = INDENT + 4;
    } else if (g->begun) {
        printf(" ");
        g->column++;
    }
    g->begun = true;
    printf("%s", word);
    g->column += characters(word);
}

/** The first line stands beside the heading. False: there are enough. */
static bool begin_line(graph* g) {
    if (g->lines >= LINES_MAX) return false;
    printf("%-*s", INDENT, g->lines++ ? "" : "network");
    g->column = INDENT;
    g->begun = false;
    return true;
}

static void mark_told(graph* g, edge* e) {
    e->told = true;
    if (e->a >= 0) g->degree[e->a]--;
    if (e->b >= 0) g->degree[e->b]--;
}

static void tell_chain(graph* g, int32_t node) {
    char text[400];
    int length = 0;
    node_text(g, node, text, sizeof text);
    put(g, text);
    g->told[node] = true;
    for (edge* e; node >= 0 && (e = choose_edge(g, node)); length++) {
        int32_t other = e->a == node ? e->b : e->a;
        if (length == CHAIN_MAX) break;
        edge_text(g, e, text, sizeof text);
        mark_told(g, e);
        size_t used = strlen(text); // a contact and what is behind it stay together
        text[used++] = ' ';
        node_text(g, other, text + used, sizeof text - used);
        put(g, text);
        if (other >= 0) g->told[other] = true;
        // A wall ends a chain: two contacts with it have nothing to do with each other.
        node = is_barrier(g, other) ? -1 : other;
    }
    printf(length == CHAIN_MAX ? " ...\n" : "\n");
}

static void tell_chains(graph* g) {
    for (int32_t start; (start = choose_start(g)) >= 0 && begin_line(g);)
        tell_chain(g, start);
    for (int32_t i = 0; i < g->node_count; i++) {
        char text[300];
        node_text(g, i, text, sizeof text);
        if (!g->told[i] && !g->degree[i] && begin_line(g)) {
            g->told[i] = true;
            printf("%s, alone\n", text);
        }
    }
}

/** How many contacts, springs and lone bodies found no line. */
static void tell_rest(const graph* g) {
    int32_t rest = 0;
    for (int32_t i = 0; i < g->edge_count; i++)
        rest += !g->edges[i].told;
    for (int32_t i = 0; i < g->node_count; i++)
        rest += !g->told[i] && !g->degree[i];
    if (rest) printf("%*sand %d more\n", INDENT, "", (int)rest);
}

// ---------------------------------------------------------------------------- bows and blocks

static void chain_bows(graph* g) {
    for (int32_t i = 0; i < sis_system_link_count(g->system); i++) {
        sis_link_info link = sis_system_link(g->system, i);
        char where[80];
        if (link.kind != SIS_KIND_BOW || !begin_line(g)) continue;
        printf("%s on %s%s\n", link.name, link.below,
               sis_fact_where(g->system, i, 0, false, where, sizeof where));
    }
}

/** "foot, rattle, bow1": the links from `first` on for which `fits` holds. */
static int names_of(const graph* g, int32_t first, bool (*fits)(const sis_link_info*, int32_t),
                    int32_t block, char* text, size_t size) {
    int count = 0;
    *text = 0;
    for (int32_t i = first; i < sis_system_link_count(g->system); i++) {
        sis_link_info link = sis_system_link(g->system, i);
        if (!fits(&link, block)) continue;
        if (count++ < NAMES_MAX) add_word(text, size, link.name);
    }
    size_t used = strlen(text);
    if (count > NAMES_MAX) snprintf(text + used, size - used, " and %d more", count - NAMES_MAX);
    return count;
}

static bool is_in_block(const sis_link_info* link, int32_t block) {
    return link->block == block && link->block_size > 1;
}

static bool is_alone(const sis_link_info* link, int32_t block) {
    (void)block;
    return link->block_size == 1 && link->points == 1;
}

static bool is_each_alone(const sis_link_info* link, int32_t block) {
    (void)block;
    return link->block_size == 1 && link->points > 1;
}

/** Whether no earlier link is in its block. */
static bool is_first(const graph* g, int32_t i) {
    sis_link_info link = sis_system_link(g->system, i);
    for (int32_t e = 0; e < i; e++) {
        sis_link_info earlier = sis_system_link(g->system, e);
        if (is_in_block(&earlier, link.block)) return false;
    }
    return link.block_size > 1;
}

static void tell_blocks(const graph* g) {
    table t = {0};
    char names[900];
    int told = 0;
    for (int32_t i = 0; i < sis_system_link_count(g->system); i++) {
        if (!is_first(g, i)) continue;
        sis_link_info link = sis_system_link(g->system, i);
        if (told++ >= LINES_MAX) continue;
        int count = names_of(g, i, is_in_block, link.block, names, sizeof names);
        // A block is known by the first point of a link; it may hold later points of others.
        bool others = count == 1 && link.points == 1;
        table_row(&t);
        if (link.points > link.block_size)
            table_rest(&t, "in blocks, the first of %d points: %s", (int)link.block_size, names);
        else
            table_rest(&t, "%d points together: %s%s", (int)link.block_size, names,
                       others ? " and some of another contact" : "");
    }
    if (told > LINES_MAX) {
        table_row(&t);
        table_rest(&t, "and %d %s more", told - LINES_MAX,
                   sis_plural((uint64_t)(told - LINES_MAX), "block", "blocks"));
    }
    if (names_of(g, 0, is_alone, 0, names, sizeof names)) {
        table_row(&t);
        table_rest(&t, "alone: %s", names);
    }
    if (names_of(g, 0, is_each_alone, 0, names, sizeof names)) {
        table_row(&t);
        table_rest(&t, "each point alone: %s", names);
    }
    table_print(&t, "solved");
}

// ---------------------------------------------------------------------------- all of it

static bool open_graph(graph* g, const sis_system* system) {
    *g = (graph){.system = system, .node_count = sis_system_body_count(system)};
    int32_t links = sis_system_link_count(system);
    g->edges = calloc((size_t)links + 1, sizeof *g->edges);
    g->told = calloc((size_t)g->node_count + 1, sizeof *g->told);
    g->degree = calloc((size_t)g->node_count + 1, sizeof *g->degree);
    if (!g->edges || !g->told || !g->degree) return false;
    for (int32_t i = 0; i < links; i++) {
        if (sis_system_link(system, i).kind == SIS_KIND_BOW) continue;
        edge* e = &g->edges[g->edge_count++];
        *e = (edge){
            .link = i, .a = sis_fact_side(system, i, true), .b = sis_fact_side(system, i, false)};
        if (e->a >= 0) g->degree[e->a]++;
        if (e->b >= 0) g->degree[e->b]++;
    }
    return true;
}

void tell_network(const job* j) {
    graph g;
    if (open_graph(&g, j->system)) {
        tell_chains(&g);
        chain_bows(&g);
        tell_rest(&g);
        tell_blocks(&g);
    } else {
        output_lost();
    }
    free(g.edges);
    free(g.told);
    free(g.degree);
}
