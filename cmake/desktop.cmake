# What a user meets around the program: the man page, made by the program itself, and completion for bash.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/sistrum.1
  COMMAND ${PROJECT_SOURCE_DIR}/tools/man.sh $<TARGET_FILE:sistrum-cli> ${PROJECT_BINARY_DIR}/sistrum.1
  DEPENDS sistrum-cli ${PROJECT_SOURCE_DIR}/man/sistrum.1.in ${PROJECT_SOURCE_DIR}/tools/man.sh
  COMMENT "Writing the man page" VERBATIM)
add_custom_target(man ALL DEPENDS ${PROJECT_BINARY_DIR}/sistrum.1)
install(FILES ${PROJECT_BINARY_DIR}/sistrum.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_SOURCE_DIR}/completions/sistrum DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
