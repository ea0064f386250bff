# The page that format html fills with data, page/page.html in the build: the scripts in page/ and the chart library, bundled. It
# is made when it is asked for (target page), and with the tests. It takes npm, and the npm registry the first time. A release
# has it, and the laboratory, in its folder prebuilt/: then nothing is made.
# SPDX-License-Identifier: BSD-3-Clause
set(page_build ${PROJECT_BINARY_DIR}/page)
set(lab_build ${PROJECT_BINARY_DIR}/lab)
set(prebuilt ${PROJECT_SOURCE_DIR}/prebuilt)
if(EXISTS ${prebuilt}/page.html)
  file(MAKE_DIRECTORY ${page_build} ${lab_build})
  file(COPY_FILE ${prebuilt}/page.html ${page_build}/page.html ONLY_IF_DIFFERENT)
  file(COPY_FILE ${prebuilt}/lab.html ${lab_build}/lab.html ONLY_IF_DIFFERENT)
  file(COPY_FILE ${prebuilt}/lab-solutions.html ${lab_build}/lab-solutions.html ONLY_IF_DIFFERENT)
  file(COPY_FILE ${prebuilt}/engine.html ${lab_build}/engine.html ONLY_IF_DIFFERENT)
  add_custom_target(page)
  add_custom_target(lab)
  return()
endif()
find_program(NPM npm)
find_program(NODE NAMES node nodejs)
if(NOT NPM OR NOT NODE)
  message(STATUS "no --format html: the page takes npm, which is missing (tools/install-packages page)")
  return()
endif()
set(omitted --omit=dev) # what only tests need
if(BUILD_TESTING)
  set(omitted)
endif()
set(packages package.json package-lock.json .npmrc)
list(TRANSFORM packages PREPEND ${PROJECT_SOURCE_DIR}/page/)
add_custom_command(OUTPUT ${page_build}/packages.stamp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${page_build}
  COMMAND ${CMAKE_COMMAND} -E copy ${packages} ${page_build}
  COMMAND ${CMAKE_COMMAND} -E chdir ${page_build} ${NPM} ci --loglevel=error ${omitted}
  COMMAND ${CMAKE_COMMAND} -E touch ${page_build}/packages.stamp
  DEPENDS ${packages} COMMENT "Fetching the packages of the page" VERBATIM)
file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/page/src/*)
add_custom_command(OUTPUT ${page_build}/page.html
  COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/page/build.mjs ${page_build} ${page_build}/page.html
  DEPENDS ${page_build}/packages.stamp ${PROJECT_SOURCE_DIR}/page/build.mjs ${PROJECT_SOURCE_DIR}/page/bundle.mjs ${PROJECT_SOURCE_DIR}/page/texts.mjs
    ${PROJECT_SOURCE_DIR}/page/notices.mjs ${PROJECT_SOURCE_DIR}/LICENSE ${page_sources}
    ${PROJECT_SOURCE_DIR}/docs/glossary.md ${PROJECT_SOURCE_DIR}/docs/ref/reports.md ${PROJECT_SOURCE_DIR}/docs/de/glossary.md
    ${PROJECT_SOURCE_DIR}/src/interval/interval.c ${PROJECT_SOURCE_DIR}/src/metrics/words.c
  COMMENT "Bundling the page" VERBATIM)
if(BUILD_TESTING)
  add_custom_target(page ALL DEPENDS ${page_build}/page.html)
else()
  add_custom_target(page DEPENDS ${page_build}/page.html)
endif()
