# Libraries that are in simrun instead of beside it: the loader takes as long for a dozen of shared ones as a small run. Where an
# archive lies beside a shared library, simrun is linked with that; all other programs, tests among them, are not.
# SPDX-License-Identifier: BSD-3-Clause
option(SIMRUN_ARCHIVES "Link simrun with archives of its libraries, where there are some" ON)

# archives_of(variable library...): each with its archive in its place, and what that needs after it.
function(archives_of variable)
  set(archives)
  foreach(library IN LISTS ARGN)
    string(REGEX REPLACE "\\.so$" ".a" archive "${library}")
    if(IS_ABSOLUTE "${archive}" AND EXISTS "${archive}" AND NOT archive MATCHES "/libm\\.a$")
      list(APPEND archives ${archive})
    else()
      list(APPEND archives ${library})
    endif()
  endforeach()
  set(${variable} ${archives} PARENT_SCOPE)
endfunction()

# take_archives(target [library...]): the target's own libraries, and what their archives need beside them, as archives for who has
# the property TAKES_ARCHIVES.
function(take_archives target)
  if(NOT SIMRUN_ARCHIVES OR NOT TARGET ${target})
    return()
  endif()
  get_target_property(shared ${target} INTERFACE_LINK_LIBRARIES)
  archives_of(archives ${shared} ${ARGN})
  set(takes $<BOOL:$<TARGET_PROPERTY:TAKES_ARCHIVES>>)
  list(TRANSFORM shared REPLACE "^(.+)$" "$<$<NOT:${takes}>:\\1>")
  list(TRANSFORM archives REPLACE "^(.+)$" "$<${takes}:\\1>")
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${shared};${archives}")
endfunction()

foreach(name IN ITEMS ZLIB OTF2 SQLITE)
  take_archives(PkgConfig::${name})
endforeach()

# libxml2 may have been built with ICU, which is large and asked for rare encodings alone: src/stubs/icu.c loads it then. The
# archive is taken only if it links with that, or without.
set(stand_ins_of_archives)
if(SIMRUN_ARCHIVES)
  find_library(LZMA lzma NO_CACHE) # which it may need
  set(xml_needs ${ZLIB_LINK_LIBRARIES})
  if(LZMA)
    list(PREPEND xml_needs ${LZMA})
  endif()
  archives_of(xml ${LIBXML2_LINK_LIBRARIES} ${xml_needs})
  set(program "#include <libxml/parser.h>\nint main(void) { return xmlReadMemory(\"\", 0, \"\", NULL, 0) != NULL; }\n")
  set(icu ${PROJECT_SOURCE_DIR}/src/stubs/icu.c)
  set(includes "-DINCLUDE_DIRECTORIES=${LIBXML2_INCLUDE_DIRS}")
  try_compile(XML_IS_ALONE SOURCE_FROM_VAR xml.c program CMAKE_FLAGS ${includes} LINK_LIBRARIES ${xml} m ${CMAKE_DL_LIBS})
  if(NOT XML_IS_ALONE)
    try_compile(XML_NEEDS_ICU SOURCE_FROM_VAR xml.c program SOURCES ${icu} CMAKE_FLAGS ${includes} -DCMAKE_C_FLAGS=-D_GNU_SOURCE
      LINK_LIBRARIES ${xml} m ${CMAKE_DL_LIBS})
  endif()
  if(XML_NEEDS_ICU)
    set(stand_ins_of_archives ${icu})
  endif()
  if(XML_IS_ALONE OR XML_NEEDS_ICU)
    take_archives(PkgConfig::LIBXML2 ${xml_needs} m)
  endif()
endif()

# put_archives_in(program): as said above.
function(put_archives_in program)
  if(SIMRUN_ARCHIVES)
    set_target_properties(${program} PROPERTIES TAKES_ARCHIVES ON)
    target_sources(${program} PRIVATE ${stand_ins_of_archives})
    target_link_libraries(${program} PRIVATE ${CMAKE_DL_LIBS})
  endif()
endfunction()
