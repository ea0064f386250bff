# The figures of a JSON report as tables: rows of tab-separated cells, a title before each and an empty line after it.
# Times are in seconds, in columns that are named _s: figures.sh makes picoseconds of them.

# What tells the runs apart: their parameters, platforms and networks, as far as these vary.
def labels:
    [.[] | {platform, network} + .parameters + {platform, network}] as $all
    | ($all | map(keys_unsorted) | add | unique) as $names
    | [$names[] | select(. as $name | [$all[][$name]] | unique | length > 1)] as $varied
    | (["ranks"] + ($varied - ["ranks"])) as $shown
    | [range(length) as $i | [$shown[] | {key: ., value: ($all[$i][.] // "-")}] | from_entries];

# Rows are objects; a column of which all cells are 0 or absent is left out.
def table($title):
    map(select(. != null)) as $rows
    | [reduce ($rows[] | keys_unsorted[]) as $name ({}; .[$name] = true) | keys_unsorted[]
       | select(. as $name | any($rows[]; .[$name] != null and .[$name] != 0))] as $columns
    | if $rows == [] then empty
      else $title, ($columns | @tsv), ($rows[] | [.[$columns[]]] | map(. // 0) | @tsv), "" end;

# An object with its names changed.
def renamed(name): with_entries(.key |= name);

def totals: {discarded: (if .discarded then "yes" else null end)} +
    ({time_s, messages, bytes, operations, memory_bytes} + ((.state_s // {}) | renamed(. + "_s")));

# The components that are not sums of others; that of no scope has no name.
def path: (.critical_path_s // {}) | with_entries(select(.key | contains(".")))
    | renamed((split(".")[1] | if . == "" then "none" else . end) + "_s");

def by(name): group_by(name) | map({name: .[0] | name, rows: .});

# The times by category and operation of the protocol, over all nodes and scopes.
def profile: (.profile // []) | by("\(.category).\(.operation)_s")
    | map({key: .name, value: ([.rows[].time_s] | add)}) | from_entries;

# A row for each operation: the sums over all scopes.
def waits: (.waits // []) | by("\(.category) \(.operation)")[]
    | {wait: .rows[0].category, "for": .rows[0].operation} + (.rows as $rows
       | ["count", "total_s", "busy_s", "CPLWait_s", "CPLComp_s", "CPCComm_s", "CPRWait_s", "CPRComp_s", "PPRWait_s",
          "PPRComp_s", "PPLWait_s"] | map({key: ., value: (. as $name | [$rows[][$name]] | add)}) | from_entries);

def causes: (.causes // []) | by(.operation)[]
    | .rows as $rows | ($rows | by([.scope, .path, .ranks])) as $paths
    | {wait: .name, paths: ($paths | length), count: ([$paths[].rows[0].count] | add),
       waited_s: ([$paths[].rows[0].wait_s] | add), steps: ($rows | length),
       pruned: ([$rows[] | select(.pruned == 1)] | length),
       answer_s: ([$rows[] | select(.cause_category == "answer").time_s] | add),
       others_s: ([$rows[] | select(.cause_category != "answer" and .time_s > 0).time_s] | add),
       negative_s: ([$rows[] | select(.time_s < 0).time_s] | add)};

def what_if: (.what_if_causes // [])[] | {cause, status, attributed_s, time_s, removed_s, returned_s, joint_time_s};

if (.runs | length) == 0 then error("no runs") else .runs end
| labels as $labels
| def rows(figures): [range(length) as $i | .[$i] | figures | select(. != {}) | $labels[$i] + .];
  (rows(totals) | table("runs")),
  (rows(path) | table("critical path")),
  (rows((.forecast // {}) | del(.of_another_algorithm)) | table("forecast")),
  (rows(profile) | table("profile")),
  (rows(waits) | table("waits")),
  (rows(causes) | table("causes of waits")),
  (rows(what_if) | table("without a cause"))
