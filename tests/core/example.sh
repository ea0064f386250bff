#!/usr/bin/env bash
# The example in the library's header is what a user gets to work with what is installed: one header to include, one library, and
# what pkg-config says. It prints what the document of the library shows.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$BUILD_DIR" --prefix "$work/installed" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
header=$work/installed/include/simrun/simrun.h
sed -n '/^ \* Example/,/^ \* It is compiled by/p' "$header" | sed -n 's/^ \*     //p; s/^ \*$//p' >"$work/example.c"
grep -q 'int main' "$work/example.c" || {
    echo "there is no example in $header"
    exit 1
}
export PKG_CONFIG_PATH=$work/installed/lib/pkgconfig:$work/installed/share/pkgconfig
cd "$work" || exit 1
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror ${CFLAGS-} example.c $(pkg-config --define-prefix --cflags --libs simrun) -o example || exit 1
./example >printed || exit 1
diff "$SOURCE_DIR/tests/core/example.expected" printed
