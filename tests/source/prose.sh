#!/usr/bin/env bash
# The documents can be read: no sentence has more than 30 words, and the README has at most 120 lines.
# A word has a letter or a digit; code between backticks is one. Headings, tables and blocks of code are no sentences.
#     bash tests/source/prose.sh FILE...       shows the sentences of these files that are too long
[ $# -eq 0 ] && { . "$SOURCE_DIR/tests/shell/checks.sh" || exit; }

# too_long FILE...: FILE:LINE, the number of words, and the text of each sentence that is too long.
too_long() {
    awk -v most=30 '
        function add(text) {
            if (sentence == "") { first = FNR; name = FILENAME }
            sentence = sentence (sentence == "" ? "" : " ") text
        }
        function flush(    count, words, i, n) {
            count = split(sentence, words, " ")
            for (i = 1; i <= count; i++)
                n += words[i] ~ /[[:alnum:]]/
            if (n > most) { gsub(/\001/, " ", sentence); printf "%s:%d: %d words: %s\n", name, first, n, sentence }
            sentence = ""
            code_open = 0
        }
        # Whether a word ends its sentence: not an abbreviation, an initial, a number of a list, or three dots.
        function ends(word) {
            sub(/[)"*_]*$/, "", word)
            if (word !~ /[.!?]$/ || word ~ /\.\.$/) return 0
            return word !~ /^[("]*([A-Z]|[Ee]qs?|e\.g|i\.e|al|cf|vs|[Ff]igs?|Jr|pp)\.$/
        }
        # A word as it stands; code between backticks is one, also from line to line.
        function token(word,    after, n) {
            after = word
            sub(/.*`/, "", after)
            n = gsub(/`/, "`", word)
            if (code_open) sentence = sentence "\001" word
            else add(word)
            if (n % 2) code_open = !code_open
            if (!code_open && ends(n ? "x" after : word)) flush()
        }
        function text(line,    i, n, words) {
            while (match(line, /\]\([^)]*\)/))                       # of a link its text
                line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
            gsub(/<http[^>]*>/, "", line)
            n = split(line, words, " ")
            for (i = 1; i <= n; i++)
                token(words[i])
        }
        function manual(line) {                                    # what a line of the manual page says
            if (line ~ /^\.SH/) synopsis = line ~ /SYNOPSIS/
            if (line ~ /^\.(SH|TH|TP|PP|br)/) { flush(); tag = line ~ /^\.TP/; return "" }
            if (synopsis || tag) { tag = 0; return "" }
            glue = line ~ /^\.(BR|RB|IR|RI|BI|IB) /
            sub(/^\.[A-Z]+ /, "", line)
            gsub(/\\f[A-Z]|\\[c&]/, "", line); gsub(/\\-/, "-", line); gsub(/\\\(../, "\"", line)
            if (glue) { gsub(/" "/, "\003", line); gsub(/ /, "", line); gsub(/\003/, " ", line) }
            return line
        }
        FNR == 1 { flush(); fence = code = blank = synopsis = tag = 0; page = FILENAME ~ /\.1$/ }
        page { text(manual($0)); next }
        /^ *```/ { fence = !fence; flush(); next }
        fence { next }
        /^ *$/ { flush(); blank = 1; next }
        /^    / && (blank || code) { code = 1; next }
        { blank = code = 0 }
        /^[#|]/ || /^<!--.*-->$/ { flush(); next }
        /^ *([-*]|[0-9]+\.) / { flush(); sub(/^ *([-*]|[0-9]+\.) /, "") }
        { text($0) }
        END { flush() }' "$@"
}

if [ $# -gt 0 ]; then
    too_long "$@"
    exit
fi

# The test itself sees what is too long, and nothing else.
words() { seq -s ' ' "$1"; }
{
    printf -- '- %s %s\n  word.\n\n' "$(words 15)" "$(words 15)"
    printf 'As e.g. `%s` in [%s](%s), and eq. 4 of it. %s word.\n' "$(words 40)" "$(words 20)" "$(words 9)" "$(words 25)"
    printf '| %s |\n\n    %s\n\n```\n%s\n```\n# %s\n' "$(words 31)" "$(words 31)" "$(words 31)" "$(words 31)"
} >"$work/page.md"
too_long "$work/page.md" >"$work/out"
check 'one sentence of the example is too long' test "$(cut -d: -f2,3 "$work/out")" = '1: 31 words'

cd "$SOURCE_DIR" || exit
too_long README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/simrun.1 >"$work/long"
while IFS= read -r line; do
    note 1 "$line"
done <"$work/long"
check 'no sentence has more than 30 words' test ! -s "$work/long"
check 'the README has at most 120 lines' test "$(wc -l <README.md)" -le 120
finish
