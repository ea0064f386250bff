# The page of --format html and the laboratory, where they are installed. Before all else: without them nothing is, unless that is asked
# for. SIMRUN_PAGES=OFF is an option of CMake, and as a variable of the environment one of a single installation.
# SPDX-License-Identifier: BSD-3-Clause
set(datadir ${CMAKE_INSTALL_DATADIR}/simrun) # scenarios name their platforms as ../platforms/<name>.xml
option(SIMRUN_PAGES "Install the page of --format html and the laboratory" ON)
if(SIMRUN_PAGES)
  set(pages ${PROJECT_BINARY_DIR}/page/page.html ${PROJECT_BINARY_DIR}/lab/lab.html ${PROJECT_BINARY_DIR}/lab/lab-solutions.html)
  install(CODE "
    set(pages \"${pages}\")
    if(NOT \"\$ENV{SIMRUN_PAGES}\" STREQUAL OFF)
      foreach(page IN LISTS pages)
        if(NOT EXISTS \"\${page}\")
          message(FATAL_ERROR \"\${page} is not there, so nothing is installed. Build it: \"
            \"cmake --build '${PROJECT_BINARY_DIR}' --target page lab (it takes npm and clang: tools/install-packages page lab). \"
            \"Release tarballs have it. To install without --format html and without the laboratory, configure with -DSIMRUN_PAGES=OFF\")
        endif()
      endforeach()
    endif()")
  install(FILES ${pages} DESTINATION ${datadir} OPTIONAL)
endif()

