# libsistrum-scene: the core and the loader of scenes in one shared library, for languages that load libraries
# (python/sistrum). It is linked from the objects of the static libraries, which stay as they are, and exports what
# sistrum.h and script.h declare and nothing else.

# The names are read from the headers: a declaration begins in the first column.
set(EXPORTED "")
foreach(header include/sistrum/sistrum.h include/sistrum/elementary.h
    include/sistrum/downsample.h script/script.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} declarations REGEX "^[a-z][a-z0-9_ ]*[ *]+sis_[a-z0-9_]+\\(")
  foreach(declaration IN LISTS declarations)
    string(REGEX REPLACE "^[a-z][a-z0-9_ ]*[ *]+(sis_[a-z0-9_]+)\\(.*" "    \\1;\n" name "${declaration}")
    string(APPEND EXPORTED "${name}")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/scene.map CONTENT "{\nglobal:\n@EXPORTED@local:\n    *;\n};\n" @ONLY)

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/scene.c CONTENT "typedef int sis_nothing; // all of it is in the archives\n")
add_library(sistrum-scene SHARED ${PROJECT_BINARY_DIR}/scene.c)
target_link_libraries(sistrum-scene PRIVATE sistrum_flags sistrum-script sistrum)
if(BUILD_SHARED_LIBS)
  set_target_properties(sistrum-scene PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,sistrum-script" INSTALL_RPATH "$ORIGIN")
else()
  set_target_properties(sistrum-scene PROPERTIES LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,sistrum-script,sistrum")
endif()
# Calls inside the library go straight to their function, not through the table of the dynamic linker.
target_link_options(sistrum-scene PRIVATE -Wl,--version-script=${PROJECT_BINARY_DIR}/scene.map -Wl,--exclude-libs,libsistrum-lua.a -Wl,-Bsymbolic-functions)
set_target_properties(sistrum-scene PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${PROJECT_BINARY_DIR}/scene.map)
install(TARGETS sistrum-scene LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python)
install(FILES script/script.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sistrum)

# The Python package is the same for every Python 3 and every machine. Where it goes depends on the prefix, which is known when
# it is installed.
set(SISTRUM_PYTHON_DIR "" CACHE STRING
  "Folder of the Python package below the prefix; empty: the one below it where python3 looks, else lib/python3/dist-packages")
install(CODE "set(SISTRUM_PYTHON_DIR \"${SISTRUM_PYTHON_DIR}\")")
install(SCRIPT cmake/python-folder.cmake)
install(DIRECTORY python/sistrum DESTINATION "\${SISTRUM_PYTHON_DIR}" FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
