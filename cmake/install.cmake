set(datadir ${CMAKE_INSTALL_DATADIR}/simrun) # scenarios name their platforms as ../platforms/<name>.xml

install(TARGETS simrun)

# The library: simrun.h, and the headers that it includes.
set(includedir ${CMAKE_INSTALL_INCLUDEDIR}/simrun)
install(TARGETS simrun_core)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION) # users link it as it is, in no time
  install(CODE "execute_process(COMMAND ${CMAKE_OBJCOPY} --wildcard --remove-section=.gnu.*lto_*
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libsimrun.a\" COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(FILES src/core/simrun.h DESTINATION ${includedir})
foreach(header IN ITEMS base/error.h base/units.h base/scale.h event/event.h metrics/measure.h metrics/measures.def metrics/result.h)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/${header} DESTINATION ${includedir}/${folder})
endforeach()

install(DIRECTORY platforms scenarios DESTINATION ${datadir})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/simrun.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

configure_file(simrun.pc.in simrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simrun.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
