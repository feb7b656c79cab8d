# sistrum~ for Pure Data: built where m_pd.h is (Debian: puredata-dev). A module with core, scenes and the live library inside;
# it exports its setup function and nothing else. Where the core is a shared library it is left out.
find_path(PD_INCLUDE m_pd.h PATH_SUFFIXES pd DOC "Folder of m_pd.h, of Pure Data")
mark_as_advanced(PD_INCLUDE)
if(PD_INCLUDE AND NOT BUILD_SHARED_LIBS)
  add_library(sistrum-pd MODULE pd/sistrum~.c pd/pd_events.c pd/pd_find.c)
  target_include_directories(sistrum-pd PRIVATE pd)
  target_include_directories(sistrum-pd SYSTEM PRIVATE ${PD_INCLUDE})
  target_compile_definitions(sistrum-pd PRIVATE _POSIX_C_SOURCE=200809L)
  target_link_libraries(sistrum-pd PRIVATE sistrum_flags sistrum-live m)
  target_link_options(sistrum-pd PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/pd/sistrum.map)
  set_target_properties(sistrum-pd PROPERTIES PREFIX "" OUTPUT_NAME "sistrum~" SUFFIX ".pd_linux"
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/pd LINK_DEPENDS ${PROJECT_SOURCE_DIR}/pd/sistrum.map)
  # Pd looks there for objects of this name. A build of single targets may not have it.
  install(TARGETS sistrum-pd LIBRARY DESTINATION lib/pd/extra/sistrum~ OPTIONAL)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pd/LICENSE.txt @ONLY CONTENT "@INSIDE_NOTICE@")
  install(FILES pd/sistrum~-help.pd ${PROJECT_BINARY_DIR}/pd/LICENSE.txt DESTINATION lib/pd/extra/sistrum~)
endif()
