set(datadir ${CMAKE_INSTALL_DATADIR}/simrun) # scenarios name their platforms as ../platforms/<name>.xml

install(TARGETS simrun)
install(DIRECTORY platforms scenarios DESTINATION ${datadir})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE README.md CONTRIBUTING.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES docs/simrun.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

configure_file(simrun.pc.in simrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simrun.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
