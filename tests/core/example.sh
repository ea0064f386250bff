#!/usr/bin/env bash
# The installed library: the examples in its headers, with one library, and what pkg-config says; and that the library
# asks the system for nothing that it says it does without.
# SPDX-License-Identifier: BSD-3-Clause
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$BUILD_DIR" --prefix "$work/installed" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
# The library uses none of these: files, processes, the time, the environment, other libraries.
library=$(echo "$work"/installed/lib*/libsimrun.a "$work"/installed/lib/*/libsimrun.a | tr ' ' '\n' | grep -v '\*')
wanted=$(nm -u "$library" | awk '$1 == "U" { print $2 }' | sort -u)
refused=$(grep -E '^(f?open(64|at)?|fdopen|v?fork|exec.*|system|popen|time|clock.*|gettimeofday|getenv|kill|socket|xml.*|sg_.*)$' <<<"$wanted")
if [ "$(wc -l <<<"$wanted")" -lt 30 ] || [ -n "$refused" ]; then
    echo "the library asks for $refused"
    exit 1
fi
# State that the library keeps itself: values that are constant once they are made, by atomic exchange (cached, the
# locale that has all characters, of base/utf8.c; latest, the dimensions that have been read, of
# sim/topology/dimensions.c; lists, the names of measures, of interval/intern.c; known_processor, what that can do, of
# base/sha256.c, where it is asked), and those that only the command line sets (memory_exhausted of base/memory.c,
# debug_categories and debug_sink of base/debug.c).
kept=$(objdump -t "$library" | awk 'NF > 5 && $(NF - 2) ~ /^(\.t?(data|bss)|\*COM\*)/ && $(NF - 2) !~ /^\.data\.rel\.ro/ && $NF !~ /^\./ { print $NF }' |
    sed 's/\.[0-9]*$//' | sort | tr '\n' ' ')
kept=${kept/known_processor /}
if [ "$kept" != "cached debug_categories debug_sink latest lists memory_exhausted " ]; then
    echo "the library keeps $kept"
    exit 1
fi
export PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig
cd "$work" || exit 1
foreign=$(nm --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' |
    grep -vE '^(simrun|fast|result|measure|units|sim_error|location_state|category|operation)_')
if [ -n "$foreign" ]; then
    echo "names that a program may have, too:" $foreign
    exit 1
fi
# HEADER EXPECTED: what the example in it prints.
try_example() {
    sed -n '/^ \* Example/,/^ \* It is compiled/p' "$work/installed/include/simrun/$1" | sed -n 's/^ \*     //p; s/^ \*$//p' >example.c
    grep -q 'int main' example.c || {
        echo "there is no example in $1"
        return 1
    }
    # shellcheck disable=SC2046
    cc -std=c11 -Wall -Wextra -Werror ${CFLAGS-} example.c $(pkg-config --cflags --libs simrun) -o example && ./example >printed &&
        diff "$SOURCE_DIR/tests/core/$2" printed
}
status=0
try_example simrun.h example.expected || status=1
try_example fast.h fast_example.expected || status=1
# The library is of the version of the headers.
cat >version.c <<'END'
#include <simrun.h>
int main(void)
{
    return simrun_api_version() != SIMRUN_API_VERSION;
}
END
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror ${CFLAGS-} version.c $(pkg-config --cflags --libs simrun) -o version && ./version || status=1
# Each header stands alone, also in C++, where there is a compiler for it.
for header in simrun.h fast.h; do
    echo "#include <$header>" >alone.c
    for compiler in "cc -std=c11" "c++ -x c++"; do
        command -v "${compiler%% *}" >alone.found || continue
        # shellcheck disable=SC2046,SC2086
        $compiler -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags simrun) alone.c || status=1
    done
done
exit $status
