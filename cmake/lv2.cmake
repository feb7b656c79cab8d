# The LV2 plugin: one binary that contains core, loader, Lua, music and the live library, and that `sistrum plugin` copies
# into every bundle. It exports lv2_descriptor only and needs libc, libm and threads only. Where LV2's headers are
# missing (Debian: lv2-dev) it is not built, and `sistrum plugin` says so.
pkg_check_modules(LV2 QUIET lv2>=1.18)
if(NOT LV2_FOUND)
  message(STATUS "No LV2 plugin: its headers are missing (apt-get install lv2-dev)")
  return()
endif()

file(GLOB LV2_SOURCES CONFIGURE_DEPENDS plugin/lv2*.c)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lv2.map CONTENT "{\nglobal:\n    lv2_descriptor;\nlocal:\n    *;\n};\n")
add_library(sistrum-lv2 MODULE ${LV2_SOURCES})
target_include_directories(sistrum-lv2 SYSTEM PRIVATE ${LV2_INCLUDE_DIRS})
target_compile_definitions(sistrum-lv2 PRIVATE _GNU_SOURCE) # dladdr
set_target_properties(sistrum-lv2 PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden
  LINK_DEPENDS ${PROJECT_BINARY_DIR}/lv2.map SKIP_BUILD_RPATH ON INSTALL_RPATH "")
target_link_options(sistrum-lv2 PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/lv2.map -Wl,--as-needed
  -Wl,-Bsymbolic -Wl,-z,defs)
if(SISTRUM_SANITIZE)
  target_link_options(sistrum-lv2 PRIVATE -Wl,-z,undefs) # the program that loads it has the sanitizer
endif()
# The core is in it, also where everybody else shares one: it comes before the shared one, which then is not needed.
target_link_libraries(sistrum-lv2 PRIVATE sistrum_flags)
if(BUILD_SHARED_LIBS)
  if(NOT TARGET sistrum-inside)
    add_library(sistrum-inside STATIC $<TARGET_OBJECTS:sistrum>)
  endif()
  target_link_libraries(sistrum-lv2 PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,sistrum-inside>)
endif()
target_link_libraries(sistrum-lv2 PRIVATE sistrum-live Threads::Threads m ${CMAKE_DL_LIBS})

# What the licence of LV2's headers asks for, beside those of Sistrum and Lua.
find_file(LV2_FORGE lv2/atom/forge.h HINTS ${LV2_INCLUDE_DIRS} NO_CACHE)
file(READ "${LV2_FORGE}" LV2_HEADER)
string(REGEX MATCH "Copyright .*OF THIS SOFTWARE[.]" LV2_NOTICE "${LV2_HEADER}")
string(REGEX REPLACE "\n  " "\n" LV2_NOTICE "${LV2_NOTICE}")
if(NOT LV2_NOTICE MATCHES "Permission to use")
  message(FATAL_ERROR "The notice of LV2's licence is not where it was in lv2/atom/forge.h")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sistrum-lv2.txt @ONLY CONTENT
  "@INSIDE_NOTICE@It contains parts of LV2's headers:\n\n@LV2_NOTICE@\n\nThe scene belongs to whoever wrote it.\n")

install(TARGETS sistrum-lv2 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sistrum)
install(FILES ${PROJECT_BINARY_DIR}/sistrum-lv2.txt DESTINATION ${CMAKE_INSTALL_LIBDIR}/sistrum)
add_dependencies(sistrum-cli sistrum-lv2)
