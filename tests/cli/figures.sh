# figures FILE: the figures of a JSON report, as they stand in tests/figures: tables, with times in integer picoseconds, and
# for each part of the report a digest of the program's own text, so that nothing changes unseen. To be sourced.
# JSON has 15 digits, so that times beyond 1000 s, such as sums over many ranks, are not exact in their last ones.

# Tables of tab-separated cells with their columns aligned, and seconds as picoseconds.
align_tables() {
    awk -F '\t' '
        function show(   r, c, line) {
            for (r = 1; r <= n; r++) {
                line = ""
                for (c = 1; c <= n_columns; c++)
                    line = line sprintf("%*s ", width[c], cell[r, c])
                sub(/ +$/, "", line)
                print line
            }
        }
        titled == 0 { print; titled = 1; n = 0; split("", width); next }
        $0 == "" { show(); print ""; titled = 0; next }
        {
            n++
            n_columns = NF
            for (c = 1; c <= NF; c++) {
                text = $c
                if (n == 1)
                    is_time[c] = sub(/_s$/, "_ps", text)
                else if (is_time[c])
                    text = sprintf("%.0f", $c * 1e12)
                cell[n, c] = text
                if (length(text) > width[c])
                    width[c] = length(text)
            }
        }'
}

# digests FILE FOLDER: of each part of the report, over all runs, but of its sentences and of what it says about the host and
# the version.
digests() {
    mkdir "$2"
    awk -v folder="$2" '
        /^   "[a-z_]+":/ || /^ "[a-z_]+":/ {
            part = $1
            gsub(/[":]/, "", part)
        }
        part != "" && part != "answer" && part != "host" && part != "simrun" { print >(folder "/" part) }' "$1"
    (cd "$2" && md5sum ./* | awk '{ printf "%-32s %s\n", substr($2, 3), substr($1, 1, 12) }')
}

figures() {
    local folder
    folder=$(mktemp -d)
    jq -r -f "$SOURCE_DIR/tests/cli/figures.jq" "$1" | align_tables && echo digests && digests "$1" "$folder/parts"
    rm -r "$folder"
}

# figures_file NAME: where the figures of a scenario stand.
figures_file() {
    case $1 in
    ncp2-*) echo "$SOURCE_DIR/tests/figures/ncp2/$1.txt" ;;
    *) echo "$SOURCE_DIR/tests/figures/$1.txt" ;;
    esac
}
