# Packs a release: the last commit, and prebuilt/ with the page and the laboratory, which take npm and clang to build. The same commit
# gives the same bytes: cmake -DSOURCE=... -DBUILD=... -DVERSION=... -P dist.cmake
# SPDX-License-Identifier: BSD-3-Clause
set(name simrun-${VERSION})
set(work ${BUILD}/dist)
foreach(page IN ITEMS page/page.html lab/lab.html lab/lab-solutions.html lab/engine.html)
  if(NOT EXISTS "${BUILD}/${page}")
    message(FATAL_ERROR "${BUILD}/${page} is not there: cmake --build '${BUILD}' --target page lab")
  endif()
endforeach()
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-prefix OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR NOT prefix STREQUAL "")
  message(FATAL_ERROR "${SOURCE} is not the root of a git checkout: a release is made from a git checkout, of its last commit")
endif()
execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes COMMAND_ERROR_IS_FATAL ANY)
if(NOT changes STREQUAL "")
  message(FATAL_ERROR "a release is of a commit, but this has changed since the last one:\n${changes}")
endif()
execute_process(COMMAND git -C ${SOURCE} log -1 --format=%ct OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
execute_process(COMMAND git -C ${SOURCE} archive --prefix=${name}/ -o ${work}/commit.tar HEAD COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND tar -x -f commit.tar WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
file(MAKE_DIRECTORY ${work}/${name}/prebuilt)
file(COPY ${BUILD}/page/page.html ${BUILD}/lab/lab.html ${BUILD}/lab/lab-solutions.html ${BUILD}/lab/engine.html DESTINATION ${work}/${name}/prebuilt)
execute_process(COMMAND tar -c -J -f ${BUILD}/${name}.tar.xz --sort=name --mtime=@${time} --owner=0 --group=0 --numeric-owner
  --mode=u=rwX,go=rX --format=gnu ${name} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE ${work})
file(SIZE ${BUILD}/${name}.tar.xz bytes)
math(EXPR kilobytes "${bytes} / 1000")
file(SHA256 ${BUILD}/${name}.tar.xz hash)
message(STATUS "${BUILD}/${name}.tar.xz: ${kilobytes} kB, SHA-256 ${hash}")

# The recipes that name the release, beside it.
set(HOMEPAGE ${HOMEPAGE_URL})
set(SHA256 ${hash})
foreach(recipe IN ITEMS spack/package.py easybuild/simrun-foss-2023b.eb conda/meta.yaml)
  configure_file(${SOURCE}/packaging/${recipe}.in ${BUILD}/recipes/${recipe} @ONLY)
endforeach()
