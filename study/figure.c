// figure{}: the figure of an item, as NAME.png, NAME.svg and its numbers as NAME.csv.

#include "figure_read.h"
#include "files.h"

#include <stdio.h>
#include <string.h>

#define PANELS_MOST  64
#define COLUMNS_MOST 12
#define FIGURES_MOST 100

// ---------------------------------------------------------------------------- reading

/** Names become names of files. */
static const char* read_name(const sis_spot* spot) {
    const char* name = sis_spot_text(spot, "name");
    if (!name) name = sis_lab_of(spot->L)->study->item;
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    if (!*name || strlen(name) > 60 || strspn(name, allowed) != strlen(name))
        sis_spot_refuse(spot, "name '%.60s' must be made of letters, digits, - and _", name);
    size_t i;
    json_t *figure, *figures = json_object_get(sis_lab_of(spot->L)->result, "figures");
    if (json_array_size(figures) >= FIGURES_MOST)
        sis_spot_refuse(spot, "more than %d figures", FIGURES_MOST);
    json_array_foreach(figures, i, figure) {
        if (strcmp(json_string_value(json_object_get(figure, "name")), name) == 0)
            sis_spot_refuse(spot, "there is a figure '%s' already: give this one a name", name);
    }
    return name;
}

static void read_size(const sis_spot* spot, sis_chart* chart) {
    static const char* const widths[] = {"one", "two", NULL};
    double columns = sis_spot_number(spot, "columns", 1);
    if (!(columns >= 1 && columns <= COLUMNS_MOST) || columns != (double)(int)columns)
        sis_spot_refuse(spot, "columns is %g; it must be a whole number from 1 to %d", columns,
                        COLUMNS_MOST);
    chart->columns = (int)columns;
    int width = sis_spot_word(spot, "width", widths);
    if (width < 0) width = chart->columns > 1;
    chart->width = width ? SIS_CHART_TWO : SIS_CHART_ONE;
    chart->height = sis_spot_number(spot, "height", 45);
    if (!(chart->height >= 20 && chart->height <= 240))
        sis_spot_refuse(spot, "height is %g mm; it must be from 20 to 240", chart->height);
}

static void read_figure(const sis_spot* spot, sis_chart* chart) {
    static const char* const keys[] = {"name",   "caption", "columns", "width",
                                       "height", "panels",  NULL};
    sis_spot_keys(spot, keys);
    read_size(spot, chart);
    size_t count = sis_spot_list(spot, "panels");
    if (count < 1 || count > PANELS_MOST)
        sis_spot_refuse(spot, "panels must be a list of 1 to %d tables", PANELS_MOST);
    sis_chart_panel* panels = sis_spot_room(spot, count, sizeof *panels);
    for (size_t i = 0; i < count; i++) {
        sis_spot panel = sis_spot_element(spot, "panel", i);
        sis_figure_panel(&panel, &panels[i]);
        lua_pop(spot->L, 1);
    }
    lua_pop(spot->L, 1);
    chart->panels = panels;
    chart->panel_count = count;
}

// ---------------------------------------------------------------------------- writing

typedef bool writer(const sis_chart* chart, FILE* stream, sis_fault* fault);

static int add(sis_files* files, const char* folder, const char* name, const char* ending,
               sis_fault* fault) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    if (length < 0 || (size_t)length >= sizeof path) {
        sis_fault_set(fault, SIS_FAULT_REQUEST, "the folder of the figures has too long a name");
        return -1;
    }
    return sis_files_add(files, path, fault);
}

static bool write_numbers(int descriptor, const sis_chart* chart, writer* write, sis_fault* fault) {
    FILE* stream = descriptor >= 0 ? sis_files_stream(descriptor, fault) : NULL;
    if (!stream) return false;
    bool fine = write(chart, stream, fault);
    return sis_files_close_stream(stream, fine ? fault : NULL) && fine;
}

static bool has_image(const sis_chart* chart) {
    for (size_t i = 0; i < chart->panel_count; i++)
        if (chart->panels[i].image) return true;
    return false;
}

/** All files or none. */
static bool write_figure(const sis_chart* chart, const char* folder, const char* name,
                         sis_fault* fault) {
    sis_files* files = sis_files_new();
    if (!files) return sis_fault_no_memory(fault);
    int png = add(files, folder, name, ".png", fault);
    int svg = png >= 0 ? add(files, folder, name, ".svg", fault) : -1;
    int csv = svg >= 0 ? add(files, folder, name, ".csv", fault) : -1;
    bool fine = csv >= 0 && sis_chart_draw(chart, SIS_FORMAT_PNG, png, fault) &&
                sis_chart_draw(chart, SIS_FORMAT_SVG, svg, fault) &&
                write_numbers(csv, chart, sis_chart_write_lines, fault);
    if (fine && has_image(chart))
        fine = write_numbers(add(files, folder, name, ".image.csv", fault), chart,
                             sis_chart_write_images, fault);
    fine = fine && sis_files_commit(files, fault);
    sis_files_free(files);
    return fine;
}

/** Every figure is told, drawn or not. */
static void tell(lua_State* L, const char* name, const char* caption) {
    json_t* figures = json_object_get(sis_lab_of(L)->result, "figures");
    json_t* figure = json_pack("{ssss}", "name", name, "caption", caption ? caption : "");
    if (json_array_append_new(figures, figure))
        luaL_error(L, "figure: no memory, or the caption is not UTF-8");
}

static int figure_word(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    sis_lab_after_about(L, "figure");
    lua_settop(L, 1);
    lua_newtable(L);
    sis_spot spot = {.L = L, .index = 1, .anchor = 2, .text = "figure"};
    sis_chart chart = {0};
    read_figure(&spot, &chart);
    const char* name = read_name(&spot);
    const char* caption = sis_spot_text(&spot, "caption");
    const char* folder = sis_lab_of(L)->study->out;
    sis_fault fault = {0};
    if (folder && (!sis_canvas_available(&fault) || !write_figure(&chart, folder, name, &fault)))
        return luaL_error(L, "figure '%s': %s", name, fault.text);
    tell(L, name, caption);
    return 0;
}

void sis_figure_open(lua_State* L) {
    lua_register(L, "figure", figure_word);
}
