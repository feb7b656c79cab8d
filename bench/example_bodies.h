/** @file example_bodies.h
 * Plates, modal bodies, bows, rigid links and their contacts, built through the public interface.
 * Small grids, so that runs are short; every number that matters is an argument.
 */
#ifndef SISTRUM_EXAMPLE_BODIES_H
#define SISTRUM_EXAMPLE_BODIES_H

#include "example_parts.h"

// ---------------------------------------------------------------------------- parts

/** A wooden plate of 0.4 m by 0.3 m, losses and all. */
static inline sis_id example_plate(sis_scene* scene, sis_plate_model model, sis_ends edge,
                                   double tension, int segments_x, int segments_y) {
    sis_error error = {0};
    sis_plate_def def = sis_plate_default();
    def.length = 0.4;
    def.width = 0.3;
    def.thickness = 2e-3;
    def.material_density = 400;
    def.youngs = 1e9;
    def.tension = tension;
    def.sigma0 = 2;
    def.sigma1 = 5e-3;
    def.edge = edge;
    def.model = model;
    if (model == SIS_PLATE_MODAL) {
        def.modes = 20;
    } else {
        def.segments_x = segments_x;
        def.segments_y = segments_y;
    }
    return example_added(sis_scene_add_plate(scene, &def, &error), &error);
}

/** A body of `modes` modes that move at one place, the first at `frequency`, the others at
 *  multiples that no two bodies of different size share. */
static inline sis_id example_modal(sis_scene* scene, int modes, double frequency, double mass) {
    enum { MODES_MAX = 128 };
    double f[MODES_MAX], sigma[MODES_MAX], m[MODES_MAX];
    sis_error error = {0};
    for (int i = 0; i < modes && i < MODES_MAX; i++) {
        f[i] = frequency * (1 + 0.5 * i);
        sigma[i] = 5 + i;
        m[i] = mass;
    }
    sis_modal_def def = sis_modal_default();
    def.frequency = (sis_list){f, modes};
    def.sigma = (sis_list){sigma, modes};
    def.mass = (sis_list){m, modes};
    return example_added(sis_scene_add_modal(scene, &def, &error), &error);
}

/** A contact at one place of each side: {x, y} of plates, y NaN on strings, both NaN on masses. */
static inline sis_id example_touch_at(sis_scene* scene, sis_id above, const double at_above[2],
                                      sis_id below, const double at_below[2], sis_contact_def def) {
    sis_error error = {0};
    def.above = above;
    def.below = below;
    if (at_above) def.at_above = (sis_list){at_above, isnan(at_above[1]) ? 1 : 2};
    if (at_below) def.at_below = (sis_list){at_below, isnan(at_below[1]) ? 1 : 2};
    return example_added(sis_scene_add_contact(scene, &def, &error), &error);
}

static inline sis_contact_def example_law(example_scheme scheme, double K, double alpha, double gap,
                                          double damping) {
    sis_contact_def def = sis_contact_default();
    def.K = K;
    def.alpha = alpha;
    def.gap = gap;
    def.damping = damping;
    def.scheme = scheme.scheme;
    def.release = scheme.release;
    return def;
}

static inline void example_probe_at(sis_scene* scene, sis_id on, double at, double at_y) {
    sis_error error = {0};
    sis_probe_def def = sis_probe_default();
    def.on = on;
    def.at = at;
    def.at_y = at_y;
    example_added(sis_scene_add_probe(scene, &def, &error), &error);
    def.quantity = SIS_QUANTITY_VELOCITY;
    example_added(sis_scene_add_probe(scene, &def, &error), &error);
}

// ---------------------------------------------------------------------------- families

/** A bowed string on a bridge that rattles against a plate: the tromba marina in small. */
static inline sis_scene* example_tromba(example_scheme scheme, double alpha,
                                        sis_bow_method method) {
    static const double force[] = {0, 0.2, 0.05, 1.5, 0.2, 0.3};
    static const double foot_at[] = {0.42, (double)NAN}, rattle_at[] = {0.13, 0.11};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_string_def wire = sis_string_default();
    wire.length = 0.5;
    wire.tension = 60;
    wire.density = 2e-3;
    wire.radius = 2e-4;
    wire.youngs = 2e11;
    wire.sigma0 = 0.5;
    wire.sigma1 = 5e-4;
    wire.segments = 17;
    sis_id string = example_added(sis_scene_add_string(scene, &wire, &error), &error);
    sis_id bridge = example_mass(scene, 1e-3, 300, 0.5, 0, 0);
    sis_id body = example_plate(scene, SIS_PLATE_FD, SIS_ENDS_SUPPORTED, 0, 11, 8);
    sis_contact_def foot = example_law(scheme, example_K(50, 1e-5, alpha), alpha, 0, 0);
    foot.law = SIS_LAW_TWO_SIDED;
    example_touch_at(scene, string, foot_at, bridge, NULL, foot);
    sis_id rattle =
        example_touch_at(scene, bridge, NULL, body, rattle_at,
                         example_law(scheme, example_K(50, 1e-5, alpha), alpha, 2e-6, 0));
    sis_bow_def bow = sis_bow_default();
    bow.on = string;
    bow.at = 0.061;
    bow.force_curve = (sis_envelope){force, 3};
    bow.velocity = 0.2;
    bow.method = method;
    sis_id hair = example_added(sis_scene_add_bow(scene, &bow, &error), &error);
    example_probe_at(scene, body, 0.31, 0.07);
    example_probe(scene, rattle, SIS_QUANTITY_FORCE);
    example_probe(scene, rattle, SIS_QUANTITY_PENETRATION);
    example_probe(scene, hair, SIS_QUANTITY_FORCE);
    return scene;
}

/** A stick falls onto a head; a wire under it buzzes against it at three places. */
static inline sis_scene* example_drum(example_scheme scheme, double alpha, sis_plate_model model,
                                      sis_ends edge) {
    static const double tip_at[] = {0.17, 0.16};
    static const double on_head[] = {0.1, 0.14, 0.19, 0.15, 0.31, 0.16};
    static const double on_wire[] = {0.1, 0.19, 0.31};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id head = example_plate(scene, model, edge, 400, 9, 7);
    sis_id stick = example_mass(scene, 8e-3, 0, 0, 1e-4, -2);
    sis_id tip = example_touch_at(scene, stick, NULL, head, tip_at,
                                  example_law(scheme, example_K(50, 1e-4, alpha), alpha, 0, 0.1));
    sis_string_def wire = sis_string_default();
    wire.length = 0.4;
    wire.tension = 20;
    wire.density = 1e-3;
    wire.sigma0 = 3;
    wire.segments = 12;
    sis_contact_def buzz = example_law(scheme, example_K(20, 1e-4, alpha), alpha, 0, 0);
    buzz.above = head;
    buzz.below = example_added(sis_scene_add_string(scene, &wire, &error), &error);
    buzz.at_above = (sis_list){on_head, 6};
    buzz.at_below = (sis_list){on_wire, 3};
    sis_id contact = example_added(sis_scene_add_contact(scene, &buzz, &error), &error);
    example_probe_at(scene, head, 0.11, 0.2);
    example_probe(scene, tip, SIS_QUANTITY_FORCE);
    example_probe(scene, contact, SIS_QUANTITY_FORCE);
    example_probe(scene, contact, SIS_QUANTITY_PENETRATION);
    return scene;
}

/** Two bells of five and three modes knock against each other; a rigid rod ties a weight to one. */
static inline sis_scene* example_bells(example_scheme scheme, double alpha) {
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id upper = example_modal(scene, 5, 210, 0.02), lower = example_modal(scene, 3, 330, 0.05);
    sis_id weight = example_mass(scene, 0.01, 0, 0, 0, 0);
    sis_spring_def rod = sis_spring_default();
    rod.a = lower;
    rod.b = weight;
    rod.rigid = true;
    example_added(sis_scene_add_spring(scene, &rod, &error), &error);
    sis_id knock =
        example_touch_at(scene, upper, NULL, lower, NULL,
                         example_law(scheme, example_K(100, 1e-4, alpha), alpha, 1e-4, 0.1));
    example_force(scene, weight, SIS_FORCE_RAISED_COSINE, 40, 3e-3, 1e-3);
    example_force(scene, upper, SIS_FORCE_IMPULSE, -0.02, 0, 0.05);
    example_probes(scene, upper, knock);
    example_probe(scene, lower, SIS_QUANTITY_VELOCITY);
    return scene;
}

/** A lug on a plate that touches the plate again further on, a finger driven down onto it, and a
 * rigid post between the plate and a mass. */
static inline sis_scene* example_lug(example_scheme scheme, double alpha) {
    static const double root[] = {0.1, 0.1}, tip[] = {0.27, 0.13}, finger_at[] = {0.2, 0.2};
    static const double path[] = {0, 0.004, 0.02, -0.001, 0.05, 0.004, 0.1, -0.0005, 0.15, 0.004};
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_id plate = example_plate(scene, SIS_PLATE_FD, SIS_ENDS_CLAMPED, 0, 10, 9);
    sis_id contact =
        example_touch_at(scene, plate, tip, plate, root,
                         example_law(scheme, example_K(50, 1e-4, alpha), alpha, 5e-6, 0.1));
    sis_mass_def driven = sis_mass_default();
    driven.path = (sis_envelope){path, 5};
    sis_id finger = example_added(sis_scene_add_mass(scene, &driven, &error), &error);
    example_touch_at(scene, finger, NULL, plate, finger_at,
                     example_law(scheme, example_K(20, 1e-4, alpha), alpha, 0, 0.5));
    sis_id mass = example_mass(scene, 5e-3, 40, 1, 0, 0);
    sis_spring_def post = sis_spring_default();
    post.a = plate;
    post.at_a = 0.33;
    post.at_a_y = 0.07;
    post.b = mass;
    post.rigid = true;
    example_added(sis_scene_add_spring(scene, &post, &error), &error);
    example_probe_at(scene, plate, 0.27, 0.13);
    example_probe(scene, contact, SIS_QUANTITY_FORCE);
    example_probe(scene, finger, SIS_QUANTITY_FORCE);
    return scene;
}

// ---------------------------------------------------------------------------- the bench's own

typedef enum example_plate_kind {
    EXAMPLE_STIFF,
    EXAMPLE_STIFF_LOSSY,
    EXAMPLE_MEMBRANE
} example_plate_kind;

/** A plate with as many segments as wished, 1 cm each, whose stiffness or tension is such that the
 * grid is stable at 44.1 kHz; struck once at the start. */
static inline sis_scene* example_plate_grid(int segments_x, int segments_y,
                                            example_plate_kind kind) {
    const double h = 0.01, k = 1. / 44100, thickness = 1e-3, density = 1000, poisson = 0.3;
    sis_scene* scene = example_scene_new();
    sis_error error = {0};
    sis_plate_def def = sis_plate_default();
    def.length = h * segments_x;
    def.width = h * segments_y;
    def.thickness = thickness;
    def.material_density = density;
    def.poisson = poisson;
    if (kind == EXAMPLE_MEMBRANE) // (c k/h)^2 = 0.4, below its limit 1/2
        def.tension = 0.4 * density * thickness * (h / k) * (h / k);
    else // kappa k/h^2 = 0.2, below its limit 1/4; D = E H^3/(12 (1 - poisson^2))
        def.youngs = 0.04 * density * thickness * pow(h * h / k, 2) * 12 * (1 - poisson * poisson) /
                     pow(thickness, 3);
    if (kind != EXAMPLE_STIFF) {
        def.sigma0 = 1;
        def.sigma1 = 0.01 * h * h / k;
    }
    def.segments_x = segments_x;
    def.segments_y = segments_y;
    sis_id plate = example_added(sis_scene_add_plate(scene, &def, &error), &error);
    const double at[] = {0.37 * def.length, 0.41 * def.width};
    sis_id stick = example_mass(scene, 1e-3, 0, 0, 1e-5, -1);
    example_touch_at(scene, stick, NULL, plate, at,
                     example_law(example_schemes[0], 1e6, 1.5, 0, 0));
    return scene;
}

/** What the mass does. */
typedef enum example_strike { EXAMPLE_APART, EXAMPLE_BOUNCING, EXAMPLE_RESTING } example_strike;

/** A mass of 5 g with Hunt-Crossley loss over a body of `modes` modes: far above it, falling onto
 * it again and again, or pressed onto it by a heavy hand. */
static inline sis_scene* example_struck_modes(example_scheme scheme, int modes,
                                              example_strike strike) {
    sis_scene* scene = example_scene_new();
    sis_id body = example_modal(scene, modes, 130, 0.05 * modes);
    double height = strike == EXAMPLE_APART ? 1 : strike == EXAMPLE_BOUNCING ? 2e-4 : 0;
    sis_id mass = example_mass(scene, 5e-3, 0, 0, height, 0);
    example_contact(scene, mass, body, scheme, 1e7, 1.5, SIS_LAW_ONE_SIDED, 0, 0.2);
    example_gravity(scene, strike == EXAMPLE_RESTING ? 2000 : strike == EXAMPLE_APART ? 0 : 9.81);
    example_probe(scene, body, SIS_QUANTITY_VELOCITY);
    return scene;
}

#endif
