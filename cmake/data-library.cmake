# libsistrum-data: sound files and studies for the Python package, in one shared library that needs SQLite alone. It exports
# what python/library/data.h declares and nothing else; libsndfile is looked up when the first FLAC file is written.
file(STRINGS python/library/data.h declarations REGEX "^[a-z][a-z0-9_ ]*[ *]+sis_data_[a-z0-9_]+\\(")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS python/library/data.h)
set(DATA_EXPORTED "")
foreach(declaration IN LISTS declarations)
  string(REGEX REPLACE "^[a-z][a-z0-9_ ]*[ *]+(sis_data_[a-z0-9_]+)\\(.*" "\\1" name "${declaration}")
  if(SISTRUM_SWEEP OR NOT name MATCHES "_(sweep|csv|merge)$")
    string(APPEND DATA_EXPORTED "    ${name};\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/data.map CONTENT "{\nglobal:\n@DATA_EXPORTED@local:\n    *;\n};\n" @ONLY)

add_library(sistrum-data SHARED
  python/library/late_sndfile.c python/library/sound.c python/library/study.c)
target_include_directories(sistrum-data PRIVATE python/library ${SNDFILE_INCLUDE_DIRS})
target_compile_definitions(sistrum-data PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(sistrum-data PRIVATE sistrum_flags sistrum-sweep ${CMAKE_DL_LIBS})
# What nothing calls is not linked: with its own way to libsndfile the library does not need it.
target_link_options(sistrum-data PRIVATE -Wl,--as-needed -Wl,--version-script=${PROJECT_BINARY_DIR}/data.map
  -Wl,--exclude-libs,libsistrum-lua.a -Wl,-Bsymbolic-functions)
set_target_properties(sistrum-data PROPERTIES INSTALL_RPATH "$ORIGIN"
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS ${PROJECT_BINARY_DIR}/data.map)
install(TARGETS sistrum-data LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT python)

# What goes into a wheel, with the licences of what is inside.
string(REPLACE "This plugin contains" "This package contains" PYTHON_NOTICE "${INSIDE_NOTICE}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/python-notices.txt CONTENT "@PYTHON_NOTICE@It brings SQLite along (libsqlite3.so.0), whose authors have dedicated it to the public domain:
https://www.sqlite.org/copyright.html
" @ONLY)
