#!/usr/bin/env bash
# The drawings in docs/pictures are those that tools/pictures would make now, are well-formed, and each is in a document.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
check 'tools/pictures --check' "$SOURCE_DIR/tools/pictures" --check
for picture in "$SOURCE_DIR"/docs/pictures/*; do
    name=$(basename "$picture")
    check "$name is in a document" grep -rqF "pictures/$name)" "$SOURCE_DIR/docs" "$SOURCE_DIR/README.md"
    case $name in *.svg) check "$name is well-formed" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture" ;; esac
done
finish
