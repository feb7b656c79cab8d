# HDF5 files of --data, where the headers of the library are. The program looks for the library itself when somebody
# writes such a file, under the name that its present one has.
pkg_search_module(HDF5 QUIET hdf5-serial hdf5)
set(HDF5_NAME "")
if(HDF5_FOUND)
  find_library(HDF5_FILE NAMES hdf5_serial hdf5 HINTS ${HDF5_LIBRARY_DIRS})
  mark_as_advanced(HDF5_FILE)
  if(HDF5_FILE)
    get_filename_component(HDF5_REAL ${HDF5_FILE} REALPATH)
    string(REGEX MATCH "[^/]*([.]so[.][0-9]+|[.][0-9]+[.]dylib)" HDF5_NAME ${HDF5_REAL})
  endif()
endif()
if(HDF5_NAME)
  message(STATUS "HDF5 files: written by ${HDF5_NAME}")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/out/data_hdf5.c PROPERTIES
    COMPILE_DEFINITIONS "SISTRUM_HDF5=\"${HDF5_NAME}\""
    INCLUDE_DIRECTORIES "${HDF5_INCLUDE_DIRS}")
  target_link_libraries(sistrum-out PRIVATE ${CMAKE_DL_LIBS})
else()
  message(STATUS "HDF5 files: not written, libhdf5 is not here (Debian: libhdf5-dev)")
endif()
