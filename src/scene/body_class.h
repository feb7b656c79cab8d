// A kind of body: one table of functions, sis_WORD_class, that a row BODY(KIND, word) of schema.def
// registers. What needs a scene only comes first; the rest is for the stages of src/compile.
// docs/architecture.md tells how to add one.
#ifndef SIS_BODY_CLASS_H
#define SIS_BODY_CLASS_H

#include "base/base.h"

// A place of a body: x along it or the number of its place, y across it; NaN: none.
typedef struct sis_place {
    double x, y;
} sis_place;

typedef struct body_size {
    double length, width; // m, of a line or an area
    int32_t points;       // of numbered places
} body_size;

struct body_spec;
struct body_motion;
struct compile_plan;
struct network_end;
struct start_field;

typedef struct body_class {
    const char* called; // in sentences, such as "modal body"
    sis_places places;
    bool fixed; // nothing moves it: only check and size are needed

    // ---- a definition in a scene; NULL: nothing to check, never driven, no size
    bool (*check)(const void* def, const char* object, sis_error* error);
    bool (*driven)(const void* def); // follows a path: no force moves it
    body_size (*size)(const void* def);
    // The mode that a pluck{ shape = "mode" } asks for.
    bool (*check_mode)(const void* def, const sis_pluck_def* pluck, const char* object,
                       sis_error* error);

    // ---- set-up, in this order; false: error says why. Sentences of plan and build do without the
    // name of the body, which is put before them.
    size_t spec_size; // its specification, which begins with a body_spec
    // Grid or modes, and how many degrees of freedom: what a body_spec asks for.
    bool (*plan)(struct compile_plan* plan, struct body_spec* spec, const void* def,
                 sis_error* error);
    // The group: its kind and constants, and what `sistrum check` tells of the body.
    bool (*build)(struct compile_plan* plan, struct body_spec* spec, const void* def,
                  sis_body_info* info, sis_error* error);
    // The point at a place, with the weights that read and write it; `order` 0, 1 or 3 between
    // nodes.
    bool (*point)(struct compile_plan* plan, const struct body_spec* spec, sis_place at,
                  int32_t order, struct network_end* end, sis_error* error);
    // The same while it sounds: weights, and where they are, counted from the first degree of
    // freedom; how many. NULL: its places cannot move. [audio]
    int32_t (*weigh)(const struct body_spec* spec, sis_place at, int32_t order, double* weight,
                     int32_t* index);
    // Adds the weight of gravity g; NULL: gravity does not know how.
    void (*pull)(struct compile_plan* plan, const struct body_spec* spec, const void* def,
                 double g);
    // Adds what a pluck gives; NULL: it cannot be plucked. `started` is called after all plucks.
    bool (*pluck)(struct start_field* start, sis_error* error);
    bool (*started)(struct compile_plan* plan, const struct body_spec* spec, sis_error* error);

    // ---- the compiled body; NULL: it has no such thing
    // The p-th partial without losses, Hz: of its model, and of the body itself.
    bool (*partial)(const sis_system* system, const struct body_spec* spec, int32_t p,
                    double* rings, double* exact);
    // u[points] at the last row. [audio]
    void (*shape)(const sis_system* system, const struct body_spec* spec,
                  const struct body_motion* motion, double* u);
} body_class;

// The class of a kind; NULL: it is no body.
const body_class* sis_class_of(sis_kind kind);

#endif
