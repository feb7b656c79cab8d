# For tests that add a body or a law in copies of sistrum.h and schema.def.
# before(LINE TEXT): puts TEXT before the line of `all` that begins with LINE.
macro(before line text)
  string(FIND "${all}" "\n${line}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "no line begins with '${line}'")
  endif()
  string(REPLACE "\n${line}" "\n${text}\n${line}" all "${all}")
endmacro()
