# A layer is a folder of src/, built as one static library that sees the folders it is allowed to see and no others:
# its only include directory holds links to those. An include of anything else does not compile; tests/source/layers.sh tries.
#
#   add_layer(metrics SEES base trace [LINKS library...])
function(add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SEES;LINKS")
  set(view ${PROJECT_BINARY_DIR}/layers/${layer})
  file(REMOVE_RECURSE ${view})
  file(MAKE_DIRECTORY ${view})
  foreach(folder IN ITEMS ${layer} ${arg_SEES})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${folder} ${view}/${folder} SYMBOLIC)
  endforeach()

  file(GLOB sources CONFIGURE_DEPENDS ${layer}/*.c)
  add_library(${layer} STATIC ${sources})
  target_include_directories(${layer} PRIVATE ${view})
  target_link_libraries(${layer} PRIVATE options ${arg_SEES} ${arg_LINKS})
endfunction()

# A family is a table in a .def file, a line MACRO(name) for each source file <prefix>name.c that defines a member, a
# `const struct <type> ...`. Check that the lines and the files agree.
#
#   check_family(sim/collective/list.def COLL sim/coll_ coll_spec)
function(check_family table macro prefix type)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} listed REGEX "^[ \t]*${macro}\\(")
  list(TRANSFORM listed REPLACE "^[ \t]*${macro}\\([ \t]*([A-Za-z0-9_]+).*" "${prefix}\\1.c")
  file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${prefix}*.c)

  foreach(file IN LISTS listed)
    if(NOT file IN_LIST files)
      message(SEND_ERROR "src/${table} lists ${file}, but there is no src/${file}")
    endif()
  endforeach()
  foreach(file IN LISTS files)
    file(STRINGS ${file} member REGEX "^const struct ${type} [a-z0-9_]+ = " LIMIT_COUNT 1)
    if(member AND NOT file IN_LIST listed)
      string(REGEX REPLACE "^${prefix}(.*)\\.c$" "\\1" name ${file})
      message(SEND_ERROR "src/${file} is not in src/${table}: add the line ${macro}(${name}) there")
    endif()
  endforeach()
endfunction()
