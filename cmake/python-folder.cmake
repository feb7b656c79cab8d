# Runs at install time: sets SISTRUM_PYTHON_DIR, the folder of the Python package below the prefix, where it is not given.
# Debian's Python reads lib/python3/dist-packages of /usr, but lib/python3.X/dist-packages of /usr/local.
if(NOT SISTRUM_PYTHON_DIR)
  set(SISTRUM_PYTHON_DIR lib/python3/dist-packages)
  # The system's Python: one of an environment has a prefix of its own.
  find_program(PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH NO_CACHE)
  find_program(PYTHON3 python3 NO_CACHE)
  set(FOLDERS "")
  if(PYTHON3)
    execute_process(COMMAND ${PYTHON3} -I -c "import site; print(';'.join(site.getsitepackages()))"
      OUTPUT_VARIABLE FOLDERS ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  get_filename_component(PREFIX "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
  set(READ FALSE)
  foreach(folder IN LISTS FOLDERS)
    file(RELATIVE_PATH below "${PREFIX}" "${folder}")
    # lib/PYTHON/FOLDER: of /usr, what is in /usr/local does not count.
    if(below MATCHES "^lib/[^/]+/(dist|site)-packages$")
      set(SISTRUM_PYTHON_DIR "${below}")
      set(READ TRUE)
      break()
    endif()
  endforeach()
  if(NOT READ)
    message(STATUS "Python looks elsewhere: export PYTHONPATH=${PREFIX}/${SISTRUM_PYTHON_DIR}")
  endif()
endif()
