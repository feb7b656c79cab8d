// The headers of CLAP, from wherever they are: Debian's dpf-source has those of 1.1.1 without some extensions, which are
// declared here as the interface has them.
#ifndef SISTRUM_CLAP_API_H
#define SISTRUM_CLAP_API_H

#include <clap/entry.h>
#include <clap/ext/audio-ports.h>
#include <clap/ext/latency.h>
#include <clap/ext/note-ports.h>
#include <clap/ext/params.h>
#include <clap/ext/state.h>
#include <clap/ext/thread-check.h>
#include <clap/ext/timer-support.h>

#if __has_include(<clap/factory/plugin-factory.h>)
#include <clap/factory/plugin-factory.h>
#else
#include <clap/plugin-factory.h>
#endif

#if __has_include(<clap/ext/tail.h>)
#include <clap/ext/tail.h>
#else
#define CLAP_EXT_TAIL "clap.tail"
typedef struct clap_plugin_tail {
    uint32_t(CLAP_ABI* get)(const clap_plugin_t* plugin); // frames; from INT32_MAX on: no end
} clap_plugin_tail_t;
#endif

#if __has_include(<clap/ext/render.h>)
#include <clap/ext/render.h>
#else
#define CLAP_EXT_RENDER "clap.render"
enum { CLAP_RENDER_REALTIME = 0, CLAP_RENDER_OFFLINE = 1 };
typedef int32_t clap_plugin_render_mode;
typedef struct clap_plugin_render {
    bool(CLAP_ABI* has_hard_realtime_requirement)(const clap_plugin_t* plugin);
    bool(CLAP_ABI* set)(const clap_plugin_t* plugin, clap_plugin_render_mode mode);
} clap_plugin_render_t;
#endif

#if __has_include(<clap/ext/voice-info.h>)
#include <clap/ext/voice-info.h>
#else
#define CLAP_EXT_VOICE_INFO "clap.voice-info"
enum { CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES = 1 << 0 };
typedef struct clap_voice_info {
    uint32_t voice_count;    // in use
    uint32_t voice_capacity; // at most
    uint64_t flags;
} clap_voice_info_t;
typedef struct clap_plugin_voice_info {
    bool(CLAP_ABI* get)(const clap_plugin_t* plugin, clap_voice_info_t* info);
} clap_plugin_voice_info_t;
typedef struct clap_host_voice_info {
    void(CLAP_ABI* changed)(const clap_host_t* host);
} clap_host_voice_info_t;
#endif

#if __has_include(<clap/ext/log.h>)
#include <clap/ext/log.h>
#else
#define CLAP_EXT_LOG "clap.log"
enum { CLAP_LOG_INFO = 1, CLAP_LOG_WARNING = 2, CLAP_LOG_ERROR = 3 };
typedef int32_t clap_log_severity;
typedef struct clap_host_log {
    void(CLAP_ABI* log)(const clap_host_t* host, clap_log_severity severity, const char* text);
} clap_host_log_t;
#endif

#endif
