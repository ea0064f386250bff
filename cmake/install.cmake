# What is installed beside the library (install_core.cmake), and where; nothing is built or fetched by it.
# SPDX-License-Identifier: BSD-3-Clause
install(TARGETS simrun)

# What programs read. The module finds the command by the place that it is in.
install(DIRECTORY platforms scenarios DESTINATION ${datadir})
install(DIRECTORY labs DESTINATION ${datadir} FILES_MATCHING PATTERN "[0-9]*.md" PATTERN "solutions" EXCLUDE
  PATTERN "programs" EXCLUDE)
install(FILES docs/ref/simrun.schema.json DESTINATION ${datadir})
# The applications' own source, which pages show with the time of its lines.
install(DIRECTORY src/apps DESTINATION ${datadir}/src FILES_MATCHING PATTERN "*.c" PATTERN "replay" EXCLUDE)
install(FILES python/simrun.py DESTINATION ${datadir}/python)

# Documents lie as in the repository, so that their links lead somewhere; what they link to beside documents is there, too.
set(docdir ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE NOTICE AUTHORS CITATION.cff README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md DESTINATION ${docdir})
install(DIRECTORY docs labs DESTINATION ${docdir} FILES_MATCHING PATTERN "man" EXCLUDE
  PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.c")
install(DIRECTORY examples DESTINATION ${docdir})
install(FILES packaging/README.md DESTINATION ${docdir}/packaging)
install(PROGRAMS tools/install-packages DESTINATION ${docdir}/tools)
install(FILES python/gauss-jordan.ipynb python/traces.ipynb DESTINATION ${docdir}/python)
# Manual pages, with the version: install_manual(page target...), where one of the targets is built. ./simrun builds simrun alone.
function(install_manual page)
  set(is_built FALSE)
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      string(APPEND is_built " OR EXISTS \"$<TARGET_FILE:${target}>\"")
    endif()
  endforeach()
  string(REGEX REPLACE ".*\\." man section ${page})
  string(REPLACE "-" "\\-" DOCDIR "${CMAKE_INSTALL_DOCDIR}") # as the page writes it
  configure_file(docs/man/${page} man/${page} @ONLY)
  install(CODE "
    if(${is_built})
      file(INSTALL \"${PROJECT_BINARY_DIR}/man/${page}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/${section}\")
    endif()")
endfunction()
install_manual(simrun.1 simrun)
install_manual(simrun.3 simrun)
install_manual(fast.3 simrun)
install_manual(simrun-mpi.1 simrun-mpi)
install_manual(simrun-calibrate.1 simrun-calibrate)
install_manual(eppa-recover.1 eppa-recover)
install_manual(libeppa.3 eppa eppa-mpich)
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

# cmake --build ... --target dist packs the last commit, with page and laboratory, as simrun-VERSION.tar.xz.
add_custom_target(dist COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR} -DVERSION=${PROJECT_VERSION}
  -DHOMEPAGE_URL=${PROJECT_HOMEPAGE_URL}
  -P ${PROJECT_SOURCE_DIR}/cmake/dist.cmake VERBATIM USES_TERMINAL)
