# A layer is a folder of src/, built as one static library that sees the folders it is allowed to see and no others: its only
# include directory holds links to their headers, but for those that are called internal. An include of anything else does not
# compile; tests/source/layers.sh tries. The target of a folder in a folder is called by both: sim_kernel.
#
#   add_layer(sim/kernel SEES base interval sim/program [LINKS library...])
#
# SPDX-License-Identifier: BSD-3-Clause
file(WRITE ${PROJECT_BINARY_DIR}/layers.txt "")
function(add_layer layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SEES;LINKS")
  set(view ${PROJECT_BINARY_DIR}/layers/${layer}/view)
  file(REMOVE_RECURSE ${view})
  foreach(folder IN ITEMS ${layer} ${arg_SEES})
    file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/src/${folder}/*.h ${PROJECT_SOURCE_DIR}/src/${folder}/*.def)
    if(NOT folder STREQUAL layer)
      list(FILTER headers EXCLUDE REGEX internal\\.h$)
    endif()
    file(MAKE_DIRECTORY ${view}/${folder})
    foreach(header IN LISTS headers)
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${header} ${view}/${header} SYMBOLIC)
    endforeach()
  endforeach()

  list(JOIN arg_SEES " " words)
  file(APPEND ${PROJECT_BINARY_DIR}/layers.txt "${layer} ${words}\n") # for the test

  file(GLOB sources CONFIGURE_DEPENDS ${layer}/*.c)
  string(REPLACE "/" "_" target ${layer})
  string(REPLACE "/" "_" seen "${arg_SEES}")
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PRIVATE ${view})
  target_link_libraries(${target} PRIVATE options ${seen} ${arg_LINKS})
endfunction()

# A family is a table in a .def file, a line MACRO(name) for each source file that defines a member, a
# `const struct <type> ...`. Where the files are is said by patterns, in which % stands for the name. Check that the lines
# and the files agree.
#
#   check_family(apps/list.def APP app_spec apps/% apps/shared/%)
function(check_family table macro type)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} listed REGEX "^[ \t]*${macro}\\(")
  list(TRANSFORM listed REPLACE "^[ \t]*${macro}\\([ \t]*([A-Za-z0-9_]+).*" "\\1")
  set(found)
  foreach(pattern IN LISTS ARGN)
    string(REPLACE % * glob ${pattern})
    string(REPLACE % "([a-z0-9_]+)" name_in ${pattern})
    file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${glob}.c)
    foreach(file IN LISTS files)
      file(STRINGS ${file} member REGEX "^const struct ${type} [a-z0-9_]+ = " LIMIT_COUNT 1)
      string(REGEX REPLACE "^${name_in}\\.c$" "\\1" name ${file})
      if(member)
        list(APPEND found ${name})
        if(NOT name IN_LIST listed)
          message(SEND_ERROR "src/${file} is not in src/${table}: add the line ${macro}(${name}) there")
        endif()
      endif()
    endforeach()
  endforeach()
  list(JOIN ARGN ".c or src/" places)
  foreach(name IN LISTS listed)
    if(NOT name IN_LIST found)
      string(REPLACE % ${name} places "${places}")
      message(SEND_ERROR "src/${table} lists ${name}, which is not defined in src/${places}.c")
    endif()
  endforeach()
endfunction()
