# Before all else, the install script looks whether all is there: without simrun nothing is installed, nor without the page of --format
# html and the laboratory, unless that is asked for: SIMRUN_PAGES=OFF is an option of CMake, and as a variable of the environment one of
# a single installation. What else is configured and not built is named.
# SPDX-License-Identifier: BSD-3-Clause
set(optional)
foreach(target IN ITEMS simrun-mpi simrun-calibrate eppa-recover eppa eppa-mpich)
  string(APPEND optional " \"$<$<TARGET_EXISTS:${target}>:$<TARGET_FILE:${target}>>\"")
endforeach()
set(build "cmake --build '${PROJECT_BINARY_DIR}'")
install(CODE "
  foreach(file IN ITEMS \"$<TARGET_FILE:simrun>\" \"$<TARGET_FILE:simrun_core>\")
    if(NOT EXISTS \"\${file}\")
      message(FATAL_ERROR \"\${file} is not there, so nothing is installed. Build it: ${build}\")
    endif()
  endforeach()
  set(lacking)
  foreach(file IN ITEMS ${optional})
    if(NOT file STREQUAL \"\" AND NOT EXISTS \"\${file}\")
      cmake_path(GET file FILENAME file)
      list(APPEND lacking \${file})
    endif()
  endforeach()
  set(completion \"${PROJECT_BINARY_DIR}/completion\")
  if(EXISTS \"\${completion}\" AND NOT EXISTS \"\${completion}/bash-completion/completions/simrun\")
    list(APPEND lacking \"the completion of command lines\")
  endif()
  if(lacking)
    list(JOIN lacking \", \" lacking)
    message(WARNING \"Not built, so not installed: \${lacking}. To install all: ${build}\")
  endif()")

set(datadir ${CMAKE_INSTALL_DATADIR}/simrun) # scenarios name their platforms as ../platforms/<name>.xml
option(SIMRUN_PAGES "Install the page of --format html and the laboratory" ON)
if(SIMRUN_PAGES)
  set(pages ${PROJECT_BINARY_DIR}/page/page.html ${PROJECT_BINARY_DIR}/lab/lab.html ${PROJECT_BINARY_DIR}/lab/lab-solutions.html
    ${PROJECT_BINARY_DIR}/lab/engine.html)
  install(CODE "
    set(pages \"${pages}\")
    if(NOT \"\$ENV{SIMRUN_PAGES}\" STREQUAL OFF)
      foreach(page IN LISTS pages)
        if(NOT EXISTS \"\${page}\")
          message(FATAL_ERROR \"\${page} is not there, so nothing is installed. Build it: \"
            \"${build} --target page lab (it takes npm and clang: tools/install-packages page lab). \"
            \"Release tarballs have it. To install without --format html and without the laboratory, configure with -DSIMRUN_PAGES=OFF\")
        endif()
      endforeach()
      file(INSTALL \${pages} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${datadir}\")
    endif()")
endif()
