# Turn a text file into a C array that ends with a zero, so that the program carries the file in itself.
#
#   cmake -DINPUT=scenario.rng -DOUTPUT=scenario_rng.c -DSYMBOL=scenario_rng -P embed.cmake
#
# writes `const char scenario_rng[]`. An array of characters and not a string, because C compilers need not accept a
# string of more than 4095 characters.
# SPDX-License-Identifier: BSD-3-Clause
foreach(argument INPUT OUTPUT SYMBOL)
    if(NOT DEFINED ${argument})
        message(FATAL_ERROR "embed.cmake: -D${argument}=... is missing")
    endif()
endforeach()

file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# Eight bytes to a line.
string(REGEX REPLACE "('[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*','[^']*',)" "    \\1\n" bytes "${bytes}")
get_filename_component(input_name "${INPUT}" NAME)
file(WRITE "${OUTPUT}" "/* Made from ${input_name} by embed.cmake. */
extern const char ${SYMBOL}[];
const char ${SYMBOL}[] = {
${bytes}
    '\\0',
};
")
