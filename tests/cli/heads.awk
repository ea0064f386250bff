# The heads of the tables of a text report, each on a line: of tables, the first line that has several fields, two blanks or
# more apart. A second line of a head, which has no digits, belongs to the fields above that end where its own do.
# SPDX-License-Identifier: BSD-3-Clause
function flush_heads(   i, head) {
    for (i = 1; i <= n; i++) {
        head = heads[i]
        sub(/^\| /, "", head)
        sub(/^[=+x] /, "", head)
        sub(/ ?\[[^]]*\]$/, "", head)
        print head
    }
    n = 0
}
# The fields of a line, and where they end.
function split_line(line, fields, ends,   count, from, length_) {
    count = 0
    from = 1
    while (match(substr(line, from), /[^ ]+( [^ ]+)*/)) {
        fields[++count] = substr(line, from + RSTART - 1, RLENGTH)
        ends[count] = from + RSTART + RLENGTH - 2
        from += RSTART + RLENGTH - 1
    }
    return count
}
function joins(   i, k, found) {
    if ($0 ~ /[0-9]/)
        return 0
    for (i = 1; i <= m; i++) {
        found = 0
        for (k = 1; k <= n; k++)
            found = found || head_ends[k] == below_ends[i]
        if (!found)
            return 0
    }
    return 1
}
{
    m = split_line($0, below, below_ends)
    is_table = /^  / && (m > 1 || (in_table && /^ *\([A-Za-z]+\)$/)) # the second line of one head
    if (is_table && !in_table) {
        if (!skips)
            n = split_line($0, heads, head_ends)
    } else if (is_table && line_of_table == 1 && n > 0 && joins()) {
        for (i = 1; i <= m; i++)
            for (k = 1; k <= n; k++)
                if (head_ends[k] == below_ends[i])
                    heads[k] = heads[k] " " below[i]
    }
    if (is_table && line_of_table == 1)
        flush_heads()
    line_of_table = is_table ? line_of_table + 1 : 0
    in_table = is_table
    # Matrices have values for heads.
    if (!/^ /)
        skips = /by grid|^Best by|^How many times/
}
