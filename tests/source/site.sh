#!/usr/bin/env bash
# The documents are a site whose links lead somewhere, with a search that needs no network.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_DIR/tests/shell/checks.sh" || exit
. "$SOURCE_DIR/tests/shell/needs.sh"
need mkdocs command -v mkdocs
echo '<title>the laboratory</title>' >"$work/lab.html"
check 'tools/site' "$SOURCE_DIR/tools/site" "$work/site" "$work/lab.html"
for page in index tutorial howto/diagnose-mpi explain/models/gains ref/machines dev/architecture contributing laboratory; do
    check "$page.html" test -s "$work/site/$page.html"
done
check 'a search' test -s "$work/site/search/search_index.json"
check 'the laboratory comes first' grep -q 'href="laboratory.html"' "$work/site/index.html"
grep -rlE '(src|href)="https?://[^"]*\.(js|css|woff2?)"' "$work/site" --include='*.html' >"$work/out"
check 'nothing is fetched' test ! -s "$work/out"
need "the packages of the page (npm)" test -e "$BUILD_DIR/page/node_modules/playwright-core"
check 'as a file: searched, light and dark, narrow' node "$SOURCE_DIR/tests/page/site.mjs" "$BUILD_DIR/page" "$work/site/index.html"
finish
