# sistrum.clap: every scene as a plugin for hosts that speak CLAP, one shared object with core, loader, Lua and the live
# library inside. Its headers are in Debian's package dpf-source; others by -DCLAP_INCLUDE_DIR=FOLDER, which holds clap/.
find_path(CLAP_INCLUDE_DIR clap/entry.h HINTS /usr/share/dpf/distrho/src DOC "Folder of the headers of CLAP, which holds clap/")
if(NOT CLAP_INCLUDE_DIR)
  message(STATUS "sistrum.clap is not built: no headers of CLAP (apt-get install dpf-source, or -DCLAP_INCLUDE_DIR=FOLDER)")
  return()
endif()

# The scenes of this version are inside too, for a plugin that is copied somewhere alone.
set(TEXTS "")
file(GLOB SCENES CONFIGURE_DEPENDS scenes/*.lua)
foreach(file ${SCENES})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND TEXTS "    {\"${name}\", (const char[]){${bytes}0}},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/clap_texts.c
  CONTENT "#include \"clap_scenes.h\"\n\nconst clap_scene_text clap_scene_texts[] = {\n@TEXTS@    {0, 0}};\n" @ONLY)

file(GLOB CLAP CONFIGURE_DEPENDS plugin/clap*.c)
add_library(sistrum-clap MODULE ${CLAP} ${PROJECT_BINARY_DIR}/clap_texts.c)
target_include_directories(sistrum-clap PRIVATE plugin)
target_include_directories(sistrum-clap SYSTEM PRIVATE ${CLAP_INCLUDE_DIR})
target_compile_definitions(sistrum-clap PRIVATE _POSIX_C_SOURCE=200809L)
# The core is inside, also where everybody else shares one: it comes before the shared one, which then is not needed.
target_link_libraries(sistrum-clap PRIVATE sistrum_flags)
if(BUILD_SHARED_LIBS)
  if(NOT TARGET sistrum-inside)
    add_library(sistrum-inside STATIC $<TARGET_OBJECTS:sistrum>)
  endif()
  target_link_libraries(sistrum-clap PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,sistrum-inside>)
endif()
target_link_libraries(sistrum-clap PRIVATE sistrum-live sistrum-script Threads::Threads m)
set_target_properties(sistrum-clap PROPERTIES PREFIX "" OUTPUT_NAME sistrum SUFFIX .clap C_VISIBILITY_PRESET hidden)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/clap.map CONTENT "{\nglobal:\n    clap_entry;\nlocal:\n    *;\n};\n")
set_target_properties(sistrum-clap PROPERTIES LINK_DEPENDS ${PROJECT_BINARY_DIR}/clap.map SKIP_BUILD_RPATH ON INSTALL_RPATH "")
target_link_options(sistrum-clap PRIVATE
  -Wl,--version-script=${PROJECT_BINARY_DIR}/clap.map -Wl,--as-needed -Wl,-Bsymbolic)

# Where hosts look: /usr/lib/clap, ~/.clap, $CLAP_PATH.
set(SISTRUM_CLAP_DIR lib/clap CACHE STRING "Folder of sistrum.clap below the prefix")
install(TARGETS sistrum-clap LIBRARY DESTINATION ${SISTRUM_CLAP_DIR})

# Notices of what is inside; the headers of CLAP have the same licence as Sistrum.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sistrum.clap.txt @ONLY CONTENT
  "@INSIDE_NOTICE@It contains parts of CLAP's headers:\n\nCopyright (c) 2021 Alexandre BIQUE\n\nunder the same permission as Sistrum, above.\n\nScenes belong to whoever wrote them.\n")
install(FILES ${PROJECT_BINARY_DIR}/sistrum.clap.txt DESTINATION ${SISTRUM_CLAP_DIR})
