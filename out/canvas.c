#include "canvas.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

sis_format sis_format_of(const char* path) {
    static const char* const ending[] = {"", ".png", ".svg", ".pdf"};
    const char* dot = strrchr(sis_text_file(path), '.');
    for (int i = SIS_FORMAT_PNG; dot && i <= SIS_FORMAT_PDF; i++)
        if (strcasecmp(dot, ending[i]) == 0) return (sis_format)i;
    return SIS_FORMAT_NONE;
}

// ---------------------------------------------------------------------------- finding gnuplot

static bool is_program(const char* path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/** Finds the path of gnuplot; false: not installed. */
static bool find_gnuplot(char path[PATH_MAX]) {
    const char* folders = getenv("PATH");
    if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        size_t length = strcspn(folders, ":");
        int size = snprintf(path, PATH_MAX, "%.*s/gnuplot", (int)length, folders);
        if (length && size < PATH_MAX && is_program(path)) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

bool sis_canvas_available(sis_fault* fault) {
    char path[PATH_MAX];
    return find_gnuplot(path) ||
           sis_fault_set(fault, SIS_FAULT_RUN, "gnuplot is not installed: apt install gnuplot-nox");
}

// ---------------------------------------------------------------------------- the script

void sis_canvas_text(const sis_canvas* canvas, const char* text) {
    // Inside single quotes gnuplot knows no escapes, substitutes no commands and expands no macros;
    // only the quote itself is doubled. Markup is off for the whole terminal.
    char* whole = sis_text_clean(text);
    char most[400]; // of it, without memory
    const char* clean = whole ? whole : most;
    if (!whole) sis_clean(text, most, sizeof most);
    fputc('\'', canvas->script);
    // Three quotes in a row at the start are an empty text and the start of another one.
    if (*clean == '\'') fputc(' ', canvas->script);
    for (const char* c = clean; *c; c++) {
        if (*c == '\'') fputc('\'', canvas->script);
        fputc(*c, canvas->script);
    }
    fputc('\'', canvas->script);
    free(whole);
}

void sis_canvas_tic(const sis_canvas* canvas, const char* text, double at) {
    char plain[2 * 160 + 1];
    size_t n = 0;
    // Labels of tics are formats: a percent sign is written twice.
    for (const char* c = text; *c && n + 2 < sizeof plain; c++) {
        if (*c == '%') plain[n++] = '%';
        plain[n++] = *c;
    }
    plain[n] = 0;
    sis_canvas_text(canvas, plain);
    fprintf(canvas->script, " %.12g", at);
}

/** The letters of a format: the same size beside the lines of the picture in all of them. */
typedef struct letters {
    double size;         // pixels of svg, points of the others
    const char* heading; // font
} letters;

static letters letters_of(sis_format format) {
    // png has 96 pixels to the inch, pdf 130 nominal ones; svg counts pixels and knows no weights.
    if (format == SIS_FORMAT_SVG) return (letters){17, "DejaVu Sans,21"};
    if (format == SIS_FORMAT_PDF) return (letters){9.6, "DejaVu Sans:Bold,12"};
    return (letters){13, "DejaVu Sans:Bold,16"};
}

double sis_canvas_small(const sis_canvas* canvas) {
    return 0.8 * letters_of(canvas->format).size;
}

static void set_terminal(const sis_canvas* c) {
    static const char* const name[] = {"", "pngcairo", "svg", "pdfcairo"};
    double inch = c->format == SIS_FORMAT_PDF ? 130 : 1;
    fprintf(c->script,
            "set terminal %s noenhanced size %.4g,%.4g font 'DejaVu Sans,%g' linewidth %g "
            "background rgb 'white'\n",
            name[c->format], c->width / inch, c->height / inch, letters_of(c->format).size,
            c->format == SIS_FORMAT_PDF ? 0.9 : 1.4);
}

static void set_heading(const sis_canvas* c, const char* title, const char* subtitle) {
    double middle = 1 - 32.0 / c->height;
    fprintf(c->script, "set label 101 ");
    sis_canvas_text(c, title);
    fprintf(c->script, " at screen %.4f,%.4f left font '%s' tc rgb '" SIS_INK "'\n",
            20.0 / c->width, middle, letters_of(c->format).heading);
    fprintf(c->script, "set label 102 ");
    sis_canvas_text(c, subtitle);
    fprintf(c->script, " at screen %.4f,%.4f right tc rgb '#707070'\n",
            1 - (double)c->right / c->width, middle);
}

bool sis_canvas_open(sis_canvas* canvas, sis_format format, int width, int height,
                     const char* title, const char* subtitle, sis_fault* fault) {
    *canvas = (sis_canvas){.format = format,
                           .width = width,
                           .height = height,
                           .left = 115,
                           .right = 40,
                           .top = 70,
                           .bottom = format == SIS_FORMAT_SVG ? 90 : 75}; // taller lines
    canvas->script = tmpfile();
    if (!canvas->script)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot make a working file: %s",
                             strerror(errno));
    fprintf(canvas->script, "set encoding utf8\n");
    set_terminal(canvas);
    fprintf(canvas->script, "set border 3 lw 0.8 lc rgb '#808080'\n"
                            "set tics nomirror out scale 0.6 tc rgb '#404040' format '%%h'\n"
                            "set grid xtics ytics lt 1 lw 0.6 lc rgb '#E6E6E6'\n"
                            "set xlabel tc rgb '" SIS_INK "'\nset ylabel tc rgb '" SIS_INK "'\n"
                            "set cblabel offset character 1.2,0 tc rgb '" SIS_INK "'\n"
                            "set key tc rgb '" SIS_INK "' samplen 1.6 spacing 1.1\n"
                            "set multiplot\n");
    set_heading(canvas, title, subtitle);
    return true;
}

void sis_canvas_panel(sis_canvas* canvas, double low, double high) {
    if (canvas->panels++) fprintf(canvas->script, "unset label\n"); // the heading is drawn once
    double w = canvas->width, h = canvas->height;
    double area = h - canvas->top - canvas->bottom;
    fprintf(canvas->script,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set bmargin at screen %.5f\nset tmargin at screen %.5f\n",
            canvas->left / w, 1 - canvas->right / w, (canvas->bottom + low * area) / h,
            (canvas->bottom + high * area) / h);
}

void sis_canvas_range(const sis_canvas* canvas, const char* axis, double min, double max,
                      double air) {
    // A constant is drawn in the middle of a range of its own size.
    if (!(max > min)) {
        double size = fmax(fabs(min), fabs(max));
        min -= size > 0 ? 0.5 * size : 1;
        max += size > 0 ? 0.5 * size : 1;
    }
    double more = air * (max - min);
    fprintf(canvas->script, "set %srange [%.12g:%.12g]\n", axis, min - more, max + more);
}

void sis_canvas_label(const sis_canvas* canvas, const char* axis, const char* quantity,
                      const char* unit) {
    char label[160];
    bool bare = !*unit;
    snprintf(label, sizeof label, bare ? "%s" : "%s (%s)", quantity, unit);
    fprintf(canvas->script, "set %slabel ", axis);
    sis_canvas_text(canvas, label);
    fputc('\n', canvas->script);
}

sis_unit sis_canvas_time(const sis_canvas* canvas, const sis_window* window, double rate,
                         bool lowest) {
    double from = (double)window->first / rate;
    double to = (double)(window->first + window->count) / rate;
    sis_unit unit = sis_unit_pick(to, "s");
    sis_canvas_range(canvas, "x", from / unit.factor, to / unit.factor, 0);
    fprintf(canvas->script, lowest ? "set format x '%%h'\n" : "set format x ''\n");
    sis_canvas_label(canvas, "x", lowest ? "time" : "", lowest ? unit.text : "");
    return unit;
}

void sis_canvas_trace(const sis_canvas* canvas, const char* name, const sis_trace* trace,
                      double rate, double shift, const sis_unit* time, double value_factor) {
    fprintf(canvas->script, "$%s << END\n", name);
    for (int32_t i = 0; i < trace->point_count; i++)
        fprintf(canvas->script, "%.12g %.9g\n",
                (trace->points[i].step + shift) / rate / time->factor,
                trace->points[i].value / value_factor);
    fprintf(canvas->script, "END\n");
}

// ---------------------------------------------------------------------------- drawing

/** Starts gnuplot with the script as input; 0 or an errno. */
static int start(const char* gnuplot, int script, int picture, int messages, pid_t* child) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&files) != 0) return ENOMEM;
    posix_spawnattr_init(&attributes);
    int error = posix_spawn_file_actions_adddup2(&files, script, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, picture, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    // Signals that the caller ignores would stay ignored in gnuplot.
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    // -d: no settings of the user's own gnuplot.
    char program[] = "gnuplot", plain[] = "-d", input[] = "-";
    char* arguments[] = {program, plain, input, NULL};
    if (!error) error = posix_spawn(child, gnuplot, &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/** The first line with a letter in it of what gnuplot said. */
static void first_message(FILE* messages, char* line, size_t size) {
    rewind(messages);
    while (fgets(line, (int)size, messages)) {
        line[strcspn(line, "\r\n")] = 0;
        if (strpbrk(line, "abcdefghijklmnopqrstuvwxyz")) return;
    }
    snprintf(line, size, "no reason given");
}

static bool run_gnuplot(const char* gnuplot, FILE* script, FILE* messages, int picture,
                        sis_fault* fault) {
    pid_t child;
    int error = start(gnuplot, fileno(script), picture, fileno(messages), &child);
    if (error)
        return sis_fault_set(fault, SIS_FAULT_RUN, "cannot start gnuplot: %s", strerror(error));
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return sis_fault_set(fault, SIS_FAULT_RUN, "lost gnuplot: %s", strerror(errno));
    struct stat drawn;
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (fine && fstat(picture, &drawn) == 0 && drawn.st_size > 0) return true;
    char line[400];
    first_message(messages, line, sizeof line);
    return sis_fault_set(fault, SIS_FAULT_RUN, "gnuplot could not draw the picture: %s", line);
}

bool sis_canvas_draw(sis_canvas* canvas, int descriptor, sis_fault* fault) {
    fprintf(canvas->script, "unset multiplot\n");
    char gnuplot[PATH_MAX];
    errno = 0;
    FILE* messages = tmpfile();
    bool written = messages && fflush(canvas->script) == 0 && !ferror(canvas->script);
    int why = errno;
    bool fine = find_gnuplot(gnuplot) || sis_canvas_available(fault);
    if (fine && !written)
        fine = sis_fault_set(fault, SIS_FAULT_RUN, "cannot write a working file: %s",
                             why ? strerror(why) : "the disk may be full");
    rewind(canvas->script);
    // The descriptor number may be what the child needs for itself; dup2 onto itself keeps
    // close-on-exec, so the picture gets a fresh one.
    int picture = fine ? dup(descriptor) : -1;
    if (fine) fine = run_gnuplot(gnuplot, canvas->script, messages, picture, fault);
    if (picture >= 0) close(picture);
    if (messages) fclose(messages);
    sis_canvas_close(canvas);
    return fine;
}

void sis_canvas_close(sis_canvas* canvas) {
    if (canvas->script) fclose(canvas->script);
    canvas->script = NULL;
}
