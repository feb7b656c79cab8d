# The live instrument of `sistrum play`. Sound systems are built in where their headers are; their libraries are looked
# for when somebody plays, so that the program starts without them and other commands do not wait for them.
file(GLOB PLAY CONFIGURE_DEPENDS app/play/*.c)
add_library(sistrum-play STATIC ${PLAY})
target_include_directories(sistrum-play PUBLIC app/play)
target_compile_definitions(sistrum-play PRIVATE _POSIX_C_SOURCE=200809L)
target_link_libraries(sistrum-play
  PRIVATE sistrum_flags PkgConfig::SNDFILE ${CMAKE_DL_LIBS}
  PUBLIC sistrum-live sistrum-music sistrum-script sistrum-out Threads::Threads m)

set(PLAY_WITH "")
foreach(system jack:JACK portaudio-2.0:PORTAUDIO alsa:ALSA rtmidi:RTMIDI)
  string(REPLACE ":" ";" system ${system})
  list(GET system 0 module)
  list(GET system 1 name)
  pkg_check_modules(PLAY_${name} QUIET ${module})
  if(PLAY_${name}_FOUND)
    target_compile_definitions(sistrum-play PRIVATE SISTRUM_${name})
    target_include_directories(sistrum-play SYSTEM PRIVATE ${PLAY_${name}_INCLUDE_DIRS})
    list(APPEND PLAY_WITH ${module})
  endif()
endforeach()
list(JOIN PLAY_WITH ", " PLAY_WITH)
message(STATUS "sistrum play: built with ${PLAY_WITH}")
