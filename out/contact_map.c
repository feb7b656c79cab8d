#include "contact_map.h"

#include "facts.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_MAX   400
#define SHARE      0.25  // of a string: what covers less of it is shown alone
#define POINT_SIZE 0.012 // half height of a single point, of the axis
#define BAND_SIZE  0.36  // half height of a point that is counted

// ---------------------------------------------------------------------------- set-up

/** The place of a point on the axis: m, or its number from 1 on. */
static double place_of(const sis_contact_map* map, const sis_system* system, int32_t j) {
    return map->counted ? j + 1 : sis_fact_place(system, map->link, j);
}

/** Lowest and highest place of the points, and the least distance of two that follow. */
static void survey(const sis_contact_map* map, const sis_system* system, double* min, double* max,
                   double* distance) {
    double before = *min = *max = place_of(map, system, 0);
    *distance = INFINITY;
    for (int32_t j = 1; j < map->info.points; j++) {
        double x = place_of(map, system, j);
        double apart = fabs(x - before);
        if (apart > 0) *distance = fmin(*distance, apart);
        *min = fmin(*min, x);
        *max = fmax(*max, x);
        before = x;
    }
}

static sis_body_info string_of(const sis_system* system, int32_t link) {
    int32_t side = sis_fact_side(system, link, true);
    sis_body_info body = sis_system_body(system, side);
    if (side >= 0 && body.kind == SIS_KIND_STRING) return body;
    return sis_system_body(system, sis_fact_side(system, link, false));
}

/** Each point of a range stands for the cell around it: its rows fill the picture. Single points
 *  are narrow bands. */
static void set_rows(sis_contact_map* map, const sis_system* system, double min, double max,
                     double half) {
    bool range = map->info.distributed;
    double length = string_of(system, map->link).length;
    bool whole = !map->counted && max - min > SHARE * length;
    map->low = range ? min - half : whole ? 0 : min - 0.1 * (max - min);
    map->high = range ? max + half : whole ? length : max + 0.1 * (max - min);
    map->shown_from = whole ? 0 : map->low;
    map->shown_to = whole ? length : map->high;
    map->rows = range && map->info.points < ROWS_MAX ? map->info.points : ROWS_MAX;
    if (map->counted) {
        map->low = map->shown_from = 0.5;
        map->high = map->shown_to = map->info.points + 0.5;
        half = BAND_SIZE;
    } else if (!range) {
        half = fmin(0.4 * 2 * half, POINT_SIZE * (map->high - map->low));
    }
    double row = (map->high - map->low) / map->rows;
    for (int32_t j = 0; j < map->info.points; j++) {
        double x = place_of(map, system, j) - map->low;
        int32_t first = (int32_t)floor((x - half) / row + 1e-6);
        int32_t last = (int32_t)ceil((x + half) / row - 1e-6) - 1;
        map->first_row[j] = first < 0 ? 0 : first;
        map->last_row[j] = last < map->rows ? last : map->rows - 1;
    }
}

bool sis_contact_map_open(sis_contact_map* map, const sis_system* system, int32_t link,
                          const sis_window* window, int32_t columns) {
    *map = (sis_contact_map){
        .link = link, .info = sis_system_link(system, link), .window = *window, .columns = columns};
    size_t points = (size_t)map->info.points;
    map->counted = isnan(sis_fact_place(system, link, 0));
    if (!map->counted)
        snprintf(map->string, sizeof map->string, "%s", string_of(system, link).name);
    map->first_row = malloc(points * sizeof *map->first_row);
    map->last_row = malloc(points * sizeof *map->last_row);
    map->penetration = malloc(points * sizeof *map->penetration);
    map->now = malloc(points * sizeof *map->now);
    if (!map->first_row || !map->last_row || !map->penetration || !map->now) return false;
    double min, max, distance;
    survey(map, system, &min, &max, &distance);
    set_rows(map, system, min, max, isfinite(distance) ? distance / 2 : 1e-3);
    size_t pixels = (size_t)map->rows * (size_t)columns;
    map->force = malloc(pixels * sizeof *map->force);
    for (size_t i = 0; map->force && i < pixels; i++)
        map->force[i] = -1;
    return map->force != NULL;
}

void sis_contact_map_close(sis_contact_map* map) {
    free(map->first_row);
    free(map->last_row);
    free(map->penetration);
    free(map->now);
    free(map->force);
}

// ---------------------------------------------------------------------------- collecting

void sis_contact_map_take(sis_contact_map* map, const sis_system* system, const sis_state* state,
                          uint64_t step) {
    int32_t column = sis_window_column(&map->window, map->columns, step);
    sis_state_contact(system, state, map->link, map->penetration, map->now);
    for (int32_t j = 0; j < map->info.points; j++) {
        if (!(map->penetration[j] > 0) && map->now[j] == 0) continue;
        float force = fmaxf(0, (float)map->now[j]); // one that pulls is closed all the same
        map->most = fmaxf(map->most, force);
        for (int32_t r = map->first_row[j]; r <= map->last_row[j]; r++) {
            float* pixel = &map->force[(size_t)r * (size_t)map->columns + (size_t)column];
            *pixel = fmaxf(*pixel, force);
        }
    }
}

// ---------------------------------------------------------------------------- drawing

/** As raw floats after the plot command. What is open is no number, and not painted. */
static void write_pixels(const sis_contact_map* map, const sis_canvas* canvas, double factor) {
    for (size_t i = 0; i < (size_t)map->rows * (size_t)map->columns; i++) {
        double force = map->force[i] < 0 ? nan("") : (double)map->force[i];
        float value = (float)(force / factor);
        fwrite(&value, sizeof value, 1, canvas->script);
    }
    fputc('\n', canvas->script);
}

/** Single points stand where they stand also while they are open. */
static void mark_points(const sis_contact_map* map, const sis_system* system,
                        const sis_canvas* canvas, double factor) {
    for (int32_t j = 0; !map->info.distributed && j < map->info.points; j++) {
        double x = place_of(map, system, j) / factor;
        fprintf(canvas->script,
                "set arrow from graph 0,first %.9g to graph 1,first %.9g nohead back lw 0.7 lc rgb "
                "'#C8C8C8'\n",
                x, x);
    }
}

static void set_title(const sis_contact_map* map, const sis_canvas* canvas) {
    char title[400];
    snprintf(title, sizeof title, "%s: %s above %s, %d %s%s", map->info.name, map->info.above,
             map->info.below, (int)map->info.points,
             sis_plural((uint64_t)map->info.points, "point", "points"),
             map->most > 0 ? "" : ", open all the time");
    fprintf(canvas->script, "set label ");
    sis_canvas_text(canvas, title);
    fprintf(canvas->script, " at graph 0,1 offset character 0,0.7 left tc rgb '" SIS_INK "'\n");
}

void sis_contact_map_draw(const sis_contact_map* map, const sis_system* system,
                          const sis_canvas* canvas, double rate, bool lowest) {
    sis_unit time = sis_canvas_time(canvas, &map->window, rate, lowest);
    sis_unit place = map->counted ? (sis_unit){1, ""} : sis_unit_place(map->shown_to);
    sis_unit newton = sis_unit_pick(map->most > 0 ? (double)map->most : 1, "N");
    char label[160];
    if (map->counted)
        snprintf(label, sizeof label, "number of the point");
    else
        snprintf(label, sizeof label, "x along %s", map->string);
    sis_canvas_label(canvas, "y", label, place.text);
    sis_canvas_range(canvas, "y", map->shown_from / place.factor, map->shown_to / place.factor, 0);
    sis_canvas_label(canvas, "cb", "force per point", newton.text);
    set_title(map, canvas);
    mark_points(map, system, canvas, place.factor);
    double column = (double)map->window.count / map->columns / rate / time.factor;
    double row = (map->high - map->low) / map->rows / place.factor;
    fprintf(canvas->script,
            "set palette defined (0 '#FCE0A0', 0.15 '#F6B75A', 0.4 '" SIS_VERMILLION
            "', 0.7 '#8E2C0B', 1 '#2E0A05')\nset cbrange [0:%.9g]\n"
            "set grid xtics %s\nset ytics %s\nunset key\n"
            "plot '-' binary array=(%d,%d) format='%%float' origin=(%.12g,%.12g) dx=%.12g "
            "dy=%.12g with image\n",
            map->most > 0 ? (double)map->most / newton.factor : 1,
            map->info.distributed ? "ytics" : "noytics",
            map->counted && map->info.points <= 12 ? "1" : "autofreq", (int)map->columns,
            (int)map->rows, (double)map->window.first / rate / time.factor + 0.5 * column,
            map->low / place.factor + 0.5 * row, column, row);
    write_pixels(map, canvas, newton.factor);
    fprintf(canvas->script, "unset arrow\n");
}
