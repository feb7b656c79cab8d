# app/cli/starter.lua becomes text of the program, so that `sistrum new` needs no installed file.
set(STARTER ${PROJECT_SOURCE_DIR}/app/cli/starter.lua)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${STARTER})
file(READ ${STARTER} STARTER_BYTES HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," STARTER_BYTES "${STARTER_BYTES}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/starter.c
  CONTENT "#include \"starter.h\"\n\nconst char starter_text[] = {@STARTER_BYTES@0};\n" @ONLY)
target_sources(sistrum-cli PRIVATE ${PROJECT_BINARY_DIR}/starter.c)
target_include_directories(sistrum-cli PRIVATE ${PROJECT_SOURCE_DIR}/app/cli)
