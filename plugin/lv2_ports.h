/** @file lv2_ports.h
 * What the LV2 plugin and the program that writes its bundles agree on: ports, files and names.
 *
 *   NAME.lv2/  manifest.ttl  NAME.ttl  sistrum.so  scene.lua  bundle.txt  LICENSE.txt
 *
 * bundle.txt is what the plugin reads of itself, so that it needs no reader of Turtle:
 *
 *   sistrum bundle 1
 *   uri urn:sistrum:tanpura
 *   name tanpura.lua
 *   peak 0.0123              largest value of the probes that is full scale
 *   sound 0                  channels of sound from outside
 *   knob K K                 symbol and name, one line a knob in the order of the ports
 */
#ifndef SISTRUM_PLUGIN_LV2_PORTS_H
#define SISTRUM_PLUGIN_LV2_PORTS_H

#define BUNDLE_TEXT    "bundle.txt"
#define BUNDLE_SCENE   "scene.lua"
#define BUNDLE_BINARY  "sistrum.so"
#define BUNDLE_LICENSE "LICENSE.txt"
#define BUNDLE_MAGIC   "sistrum bundle 1\n"

/** Ports that every bundle has; then those of sound from outside, then one for each knob. */
enum lv2_port {
    PORT_CONTROL, ///< MIDI and patch messages in
    PORT_NOTIFY,  ///< patch messages out
    PORT_LEFT,
    PORT_RIGHT,
    PORT_GAIN,      ///< dB
    PORT_LIMITER,   ///< 0 or 1
    PORT_DC,        ///< 0 or 1
    PORT_GUARD,     ///< 0 or 1
    PORT_FREEWHEEL, ///< 0 or 1, set by the host
    PORT_LATENCY,   ///< out: frames
    PORT_VOICES,    ///< out: that sound
    PORT_LOAD,      ///< out: % of the deadline
    PORT_FIXED      ///< how many these are
};

/** Range of the gain, dB. */
#define GAIN_LEAST (-60)
#define GAIN_MOST  24

/** Names of what a host stores and of the option that a host may give at the start. */
#define URI_PREFIX "urn:sistrum:"
#define URI_STATE  "urn:sistrum:live#state" ///< what sis_live_save tells
#define URI_PORTS  "urn:sistrum:live#ports" ///< where the control ports stood
#define URI_RAW    "urn:sistrum:live#raw"   ///< option, Bool: probes as they are, nothing added

#endif
