# sistrum-mpi: sistrum sweep on all ranks of an MPI job. Where MPI or SQLite is missing (Debian: libopenmpi-dev) it is
# not built.
option(SISTRUM_MPI "Build sistrum-mpi, studies on clusters, where MPI is found" ON)
if(NOT SISTRUM_MPI OR NOT SISTRUM_SWEEP)
  return()
endif()
set(MPI_SKIP_GUESSING ON)
# A wrapper without the headers (openmpi-bin alone) would end find_package, and with it the whole configuration.
find_program(SISTRUM_MPICC NAMES mpicc ${MPI_C_COMPILER})
file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/mpi_header.c "#include <mpi.h>\n")
set(MPI_HEADER 1)
if(SISTRUM_MPICC)
  execute_process(COMMAND ${SISTRUM_MPICC} -E ${PROJECT_BINARY_DIR}/CMakeFiles/mpi_header.c
    RESULT_VARIABLE MPI_HEADER OUTPUT_QUIET ERROR_QUIET)
endif()
if(MPI_HEADER EQUAL 0)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(NOT MPI_C_FOUND)
  message(STATUS "No sistrum-mpi: MPI is missing (apt-get install libopenmpi-dev openmpi-bin)")
  return()
endif()

# The words of its command line are those of sistrum sweep.
set(MPI_SHARED cast find gestures job notes options parts presets request say slurm sweep_show table watch)
list(TRANSFORM MPI_SHARED REPLACE "(.+)" "app/cli/\\1.c")
file(GLOB MPI_SOURCES CONFIGURE_DEPENDS app/mpi/*.c)
add_executable(sistrum-mpi ${MPI_SOURCES} ${MPI_SHARED})
target_include_directories(sistrum-mpi PRIVATE app/cli)
target_include_directories(sistrum-mpi SYSTEM PRIVATE ${MPI_C_INCLUDE_DIRS})
target_compile_definitions(sistrum-mpi PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(sistrum-mpi PRIVATE sistrum_flags sistrum-study sistrum-sweep sistrum-music sistrum-script
  sistrum-out ${MPI_C_LIBRARIES} Threads::Threads m)
set_target_properties(sistrum-mpi PROPERTIES INSTALL_RPATH "$ORIGIN/${BIN_TO_LIB}")
install(TARGETS sistrum-mpi)
install(FILES man/sistrum-mpi.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
message(STATUS "sistrum-mpi: built with MPI ${MPI_C_VERSION}")
