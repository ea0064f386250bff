set(datadir ${CMAKE_INSTALL_DATADIR}/simrun) # scenarios name their platforms as ../platforms/<name>.xml

install(TARGETS simrun)

# The library: simrun.h and fast.h, and the headers that they include.
set(includedir ${CMAKE_INSTALL_INCLUDEDIR}/simrun)
install(TARGETS simrun_core)
# Of the core's names users see those of the public headers alone; and what only this compiler can link is left out. What is
# sanitized, or measures its coverage, stays as it is.
if(CMAKE_BUILD_TYPE STREQUAL Release)
  install(CODE "set(library \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsimrun.a\")")
  install(CODE "set(linker ${CMAKE_LINKER})\nset(objcopy ${CMAKE_OBJCOPY})\nset(archiver ${CMAKE_AR})")
  install(SCRIPT cmake/install_library.cmake)
endif()
install(FILES src/core/simrun.h src/core/fast.h DESTINATION ${includedir})
foreach(header IN ITEMS base/error.h base/units.h base/scale.h interval/interval.h base/subject.h
    metrics/kinds.def metrics/list.def metrics/measure.h metrics/measures.def metrics/result.h metrics/tables.h metrics/words.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${includedir}/${folder})
endforeach()

install(DIRECTORY platforms scenarios DESTINATION ${datadir})
# The module finds the command by the place that it is in.
install(FILES python/simrun.py DESTINATION ${datadir}/python)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png")
install(FILES LICENSE CITATION.cff README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/simrun.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(simrun.pc.in simrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simrun.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
