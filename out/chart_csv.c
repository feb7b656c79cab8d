// The numbers behind a figure as text, one point a line, as the script gave them.

#include "chart_inside.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MOST 20000 // of a line; longer ones are written as they are drawn
#define PLACES_MOST 200   // of an image, along x and along y

/** A text for a cell: quoted when it must be. */
static void write_text(FILE* stream, const char* text) {
    char* clean = sis_text_clean(text ? text : "");
    const char* from = clean ? clean : "";
    bool quoted = strpbrk(from, ",\"") || *from == ' ';
    if (quoted) fputc('"', stream);
    for (; *from; from++) {
        if (*from == '"') fputc('"', stream);
        fputc(*from, stream);
    }
    if (quoted) fputc('"', stream);
    free(clean);
}

/** A number; none is an empty cell. */
static void write_number(FILE* stream, double value, char end) {
    if (isfinite(value)) fprintf(stream, "%.17g", value);
    fputc(end, stream);
}

/** What a panel and a line are called; the number stands for a name. */
static void write_name(FILE* stream, const char* name, size_t number) {
    if (name && *name)
        write_text(stream, name);
    else
        fprintf(stream, "%zu", number + 1);
    fputc(',', stream);
}

static bool wrote(FILE* stream, sis_fault* fault) {
    return !ferror(stream) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "cannot write the numbers of a figure: %s",
                         strerror(errno));
}

static void write_point(FILE* stream, const sis_place* p, size_t panel, size_t number, size_t i) {
    const sis_chart_line* line = &p->panel->lines[number];
    write_name(stream, p->panel->title, panel);
    write_name(stream, line->name, number);
    write_number(stream, i == SIS_GAP ? nan("") : line->x[i], ',');
    write_number(stream, i == SIS_GAP ? nan("") : line->y[i], '\n');
}

bool sis_chart_write_lines(const sis_chart* chart, FILE* stream, sis_fault* fault) {
    sis_layout layout;
    bool fine = sis_layout_make(&layout, chart, fault);
    fputs("panel,line,x,y\n", stream);
    for (size_t panel = 0; fine && panel < layout.count; panel++) {
        const sis_place* p = &layout.places[panel];
        for (size_t n = 0; n < p->panel->line_count; n++) {
            const sis_picked* picked = &p->picked[n];
            bool whole = p->panel->lines[n].count <= POINTS_MOST;
            size_t count = whole ? p->panel->lines[n].count : picked->count;
            for (size_t k = 0; k < count; k++)
                write_point(stream, p, panel, n, whole ? k : picked->index[k]);
        }
    }
    sis_layout_free(&layout);
    return fine && wrote(stream, fault);
}

bool sis_chart_write_images(const sis_chart* chart, FILE* stream, sis_fault* fault) {
    fputs("panel,image,x,y,z\n", stream);
    for (size_t panel = 0; panel < chart->panel_count; panel++) {
        const sis_chart_image* image = chart->panels[panel].image;
        if (!image) continue;
        size_t x_step = (image->x_count + PLACES_MOST - 1) / PLACES_MOST;
        size_t y_step = (image->y_count + PLACES_MOST - 1) / PLACES_MOST;
        for (size_t j = 0; j < image->y_count; j += y_step)
            for (size_t i = 0; i < image->x_count; i += x_step) {
                write_name(stream, chart->panels[panel].title, panel);
                write_name(stream, image->label, 0);
                write_number(stream, image->x[i], ',');
                write_number(stream, image->y[j], ',');
                write_number(stream, image->z[j * image->x_count + i], '\n');
            }
    }
    return wrote(stream, fault);
}
