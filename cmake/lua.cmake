# Lua for scenes, with our elementary functions: a copy of Debian's static liblua5.4.a in which math.sin, ^ and
# the like call sis_sin, sis_power, ... (sistrum/elementary.h) in place of libm, whose last digit differs from
# CPU to CPU. The standard streams are renamed too: the archive is not position independent, and these are the
# only symbols that keep it out of a shared library. Scenes cannot reach them.
#
# Target sistrum-lua; installed as libsistrum-lua.a, because whoever links the loader statically needs it.
pkg_check_modules(LUA REQUIRED lua5.4)
find_library(LUA_ARCHIVE NAMES liblua5.4.a HINTS ${LUA_LIBRARY_DIRS} ${LUA_LIBDIR})
if(NOT LUA_ARCHIVE)
  message(FATAL_ERROR "Lua's static library liblua5.4.a is missing: apt-get install liblua5.4-dev")
endif()

set(RENAMED pow=sis_power atan2=sis_atan2 stdin=sis_lua_stdin stdout=sis_lua_stdout stderr=sis_lua_stderr)
foreach(name sin cos tan asin acos exp log log2 log10 sinh cosh tanh)
  list(APPEND RENAMED ${name}=sis_${name})
endforeach()
list(TRANSFORM RENAMED PREPEND "--redefine-sym=")

set(LUA_COPY ${PROJECT_BINARY_DIR}/libsistrum-lua.a)
set(LUA_STREAM ${PROJECT_BINARY_DIR}/lua_stream.c)
file(CONFIGURE OUTPUT ${LUA_STREAM} CONTENT
  "// What Lua's error paths would print to; nothing in the sandbox leads there.\n#include <stdio.h>\nFILE *sis_lua_stdin, *sis_lua_stdout, *sis_lua_stderr;\n" @ONLY)
add_library(sistrum-lua-stream STATIC ${LUA_STREAM})
add_custom_command(OUTPUT ${LUA_COPY}
  COMMAND ${CMAKE_OBJCOPY} ${RENAMED} ${LUA_ARCHIVE} ${LUA_COPY}
  COMMAND ${CMAKE_AR} rs ${LUA_COPY} $<TARGET_OBJECTS:sistrum-lua-stream>
  DEPENDS ${LUA_ARCHIVE} sistrum-lua-stream
  COMMENT "Lua with the elementary functions of the core" VERBATIM)
add_custom_target(sistrum-lua-archive DEPENDS ${LUA_COPY})
add_library(sistrum-lua STATIC IMPORTED GLOBAL)
add_dependencies(sistrum-lua sistrum-lua-archive)
set_target_properties(sistrum-lua PROPERTIES
  IMPORTED_LOCATION ${LUA_COPY}
  INTERFACE_INCLUDE_DIRECTORIES "${LUA_INCLUDE_DIRS}"
  INTERFACE_LINK_LIBRARIES "m;${CMAKE_DL_LIBS}")
install(FILES ${LUA_COPY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
