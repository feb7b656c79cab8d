# Installs the loader of scenes: find_package(sistrum COMPONENTS script) and pkg-config sistrum-script.
install(TARGETS sistrum-script ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${PROJECT_SOURCE_DIR}/script/script.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sistrum)
configure_file(cmake/sistrum-script.cmake.in sistrum-script.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sistrum-script.cmake DESTINATION ${PACKAGE_DIR})
configure_file(cmake/sistrum-script.pc.in sistrum-script.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sistrum-script.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
