# Fails if a table of a text report has a column that is empty, constant, or as another one, in two rows or more. Matrices,
# whose heads are values, and the first columns, which say what a row is, may have them.
# SPDX-License-Identifier: BSD-3-Clause
function field_at(line, end,   i, text) { # the field of a line that ends there; ".": none
    text = substr(line, 1, end)
    if (substr(line, end, 1) == " " || substr(line, end + 1, 2) !~ /^ ?( |$)/)
        return "."
    match(text, /[^ ]+( [^ ]+)*$/)
    return substr(text, RSTART)
}
function judge(   c, k, r, same, constant, text) {
    for (c = 2; c <= n; c++) {
        constant = n_rows > 1
        for (r = 2; r <= n_rows; r++)
            constant = constant && field_at(rows[r], ends[c]) == field_at(rows[1], ends[c])
        if (constant && field_at(rows[1], ends[c]) != "." && heads[c + 1] !~ /formula|measured|error/) {
            print "constant: " heads[c] ": " field_at(rows[1], ends[c])
            failed = 1
        }
        for (k = 2; k < c; k++) {
            same = n_rows > 1
            for (r = 1; r <= n_rows; r++)
                same = same && field_at(rows[r], ends[c]) == field_at(rows[r], ends[k])
            if (same && heads[c] !~ /measured|error|formula/) { # which belong to the column before them
                print "repeated: " heads[k] ", " heads[c] ": " field_at(rows[1], ends[c])
                failed = 1
            }
        }
    }
    split("", heads)
    n = n_rows = 0
}
function split_heads(line,   from) {
    n = 0
    from = 1
    while (match(substr(line, from), /[^ ]+( [^ ]+)*/)) {
        heads[++n] = substr(line, from + RSTART - 1, RLENGTH)
        ends[n] = from + RSTART + RLENGTH - 2
        from += RSTART + RLENGTH - 1
    }
}
{
    is_table = /^  / && $0 ~ /[^ ]  +[^ ]/
    if (!is_table && n > 0)
        judge()
    if (!/^ /)
        skips = /by grid|^Best by|^How many times/
    if (is_table && !was_table && !skips)
        split_heads($0)
    else if (is_table && n > 0 && /[0-9]/)
        rows[++n_rows] = $0
    was_table = is_table
}
END {
    if (n > 0)
        judge()
    exit failed
}
