# What is installed, and where; nothing is built or fetched by it.
# SPDX-License-Identifier: BSD-3-Clause
install(TARGETS simrun)

# The library: simrun.h and fast.h, and the headers that they include; for pkg-config, and for find_package(simrun).
set(includedir ${CMAKE_INSTALL_INCLUDEDIR}/simrun)
set(packagedir ${CMAKE_INSTALL_LIBDIR}/cmake/simrun)
set_target_properties(simrun_core PROPERTIES EXPORT_NAME simrun)
target_include_directories(simrun_core INTERFACE $<INSTALL_INTERFACE:${includedir}>)
install(TARGETS simrun_core EXPORT simrun)
install(EXPORT simrun NAMESPACE simrun:: FILE simrunConfig.cmake DESTINATION ${packagedir})
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/simrunConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/simrunConfigVersion.cmake DESTINATION ${packagedir})
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
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(simrun.pc.in simrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/simrun.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What programs read. The module finds the command by the place that it is in.
install(DIRECTORY platforms scenarios DESTINATION ${datadir})
install(FILES docs/ref/simrun.schema.json DESTINATION ${datadir})
install(FILES python/simrun.py DESTINATION ${datadir}/python)

# Documents lie as in the repository, so that their links lead somewhere; what they link to beside documents is there, too.
set(docdir ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE NOTICE AUTHORS CITATION.cff README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md DESTINATION ${docdir})
install(DIRECTORY docs labs DESTINATION ${docdir} FILES_MATCHING PATTERN "man" EXCLUDE
  PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.c")
install(DIRECTORY examples DESTINATION ${docdir})
install(PROGRAMS tools/install-packages DESTINATION ${docdir}/tools)
install(FILES python/gauss-jordan.ipynb DESTINATION ${docdir}/python)
# Manual pages, with the version; none of a program that cannot be built here.
set(pages_of_manual simrun.1 simrun.3 fast.3)
foreach(program IN ITEMS simrun-mpi simrun-calibrate eppa-recover)
  if(TARGET ${program})
    list(APPEND pages_of_manual ${program}.1)
  endif()
endforeach()
if(TARGET eppa OR TARGET eppa-mpich)
  list(APPEND pages_of_manual libeppa.3)
endif()
foreach(page IN LISTS pages_of_manual)
  configure_file(docs/man/${page} man/${page} @ONLY)
  string(REGEX REPLACE ".*\\." man section ${page})
  install(FILES ${PROJECT_BINARY_DIR}/man/${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/${section})
endforeach()
file(RELATIVE_PATH data_from_doc ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/simrun)
file(RELATIVE_PATH headers_from_doc ${CMAKE_INSTALL_FULL_DOCDIR}/src/core ${CMAKE_INSTALL_FULL_INCLUDEDIR})
install(CODE "
  set(doc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${docdir}\")
  file(MAKE_DIRECTORY \"\${doc}/src/core\" \"\${doc}/src/eppa\")
  foreach(link IN ITEMS platforms:${data_from_doc}/platforms scenarios:${data_from_doc}/scenarios
      src/core/simrun.h:${headers_from_doc}/simrun/simrun.h src/core/fast.h:${headers_from_doc}/simrun/fast.h
      src/eppa/eppa.h:${headers_from_doc}/eppa.h python/simrun.py:../${data_from_doc}/python/simrun.py)
    string(REGEX MATCH \"^([^:]*):(.*)\" parts \"\${link}\")
    file(CREATE_LINK \"\${CMAKE_MATCH_2}\" \"\${doc}/\${CMAKE_MATCH_1}\" SYMBOLIC)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${docdir}/\${CMAKE_MATCH_1}\")
  endforeach()")

# Completion of command lines: a program that is built for another machine cannot print it.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(completions)
  set(shells bash zsh fish)
  set(places bash-completion/completions/simrun zsh/site-functions/_simrun fish/vendor_completions.d/simrun.fish)
  foreach(shell place IN ZIP_LISTS shells places)
    set(file ${PROJECT_BINARY_DIR}/completion/${place})
    add_custom_command(OUTPUT ${file} COMMAND simrun completion ${shell} > ${file} DEPENDS simrun VERBATIM)
    cmake_path(GET file PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    list(APPEND completions ${file})
    cmake_path(GET place PARENT_PATH folder)
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} OPTIONAL)
  endforeach()
  add_custom_target(completion ALL DEPENDS ${completions})
endif()

# cmake --build ... --target uninstall removes what the last installation has installed.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake VERBATIM)
# cmake --build ... --target dist packs the last commit, with page and laboratory, as simrun-VERSION.tar.xz.
add_custom_target(dist COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR} -DVERSION=${PROJECT_VERSION}
  -DHOMEPAGE_URL=${PROJECT_HOMEPAGE_URL}
  -P ${PROJECT_SOURCE_DIR}/cmake/dist.cmake VERBATIM USES_TERMINAL)
