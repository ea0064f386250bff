# Targets for developers: format, lint.
# SPDX-License-Identifier: BSD-3-Clause
file(GLOB_RECURSE our_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.[ch] ${PROJECT_SOURCE_DIR}/tests/*.[ch]
  ${PROJECT_SOURCE_DIR}/bench/*.[ch])
add_custom_target(format COMMAND clang-format -i ${our_files} VERBATIM)

# Flags of gcc that clang does not know are no finding.
file(GLOB_RECURSE our_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
add_custom_target(lint
  COMMAND clang-tidy --quiet -p ${PROJECT_BINARY_DIR} --extra-arg=-Wno-unknown-warning-option
    --extra-arg=-Wno-ignored-optimization-argument ${our_sources}
  USES_TERMINAL VERBATIM)
