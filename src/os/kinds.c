/* The table of kinds of files: by magic bytes, by the first lines, and where neither says anything by extensions.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/kind_words.h"

#include "base/memory.h"
#include "os/path.h"
#include "os/table_kinds.h"

#include <stdlib.h>
#include <string.h>

#define READS "simrun reads OTF2, Paraver, TI and GOAL"
#define UNPACK "unpack it, and use the file inside"
#define TRACED "run the program again under libeppa or Score-P, which write OTF2"

/* --- XML --- */

/* The bytes without zeros, which those of UTF-16 have in between. */
static void narrow(char *text, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != '\0')
            *text++ = bytes[i];
    *text = '\0';
}

static const char *behind(const char *text, const char *end)
{
    const char *found = strstr(text, end);
    return found != NULL ? found + strlen(end) : "";
}

/* Where the name of the first element stands, or that of the DOCTYPE; NULL if it is no XML. */
static const char *find_root(const char *text)
{
    text += starts(text, "\377\376") || starts(text, "\376\377") ? 2 : 0;
    text = skip_space(skip_mark(skip_space(text)));
    if (*text != '<')
        return NULL;
    while (*text != '\0' && (text[1] == '?' || text[1] == '!')) {
        if (starts(text, "<!DOCTYPE"))
            return skip_space(text + strlen("<!DOCTYPE"));
        text = skip_space(text[1] == '?' ? behind(text, "?>") : behind(text, "-->"));
    }
    return *text == '<' ? text + 1 : "";
}

static bool is_root(const char *root, const char *name)
{
    size_t length = strlen(name);
    return root != NULL && strncmp(root, name, length) == 0 &&
           (length == 0 || strchr(" \t\r\n/>[", root[length]) != NULL);
}

/* Behind comments that are longer than the head. */
static bool has_root_further(const struct file_head *head, const char *name)
{
    enum { MOST_BYTES = 1 << 20 };
    char *text = xmalloc(MOST_BYTES + 1);
    size_t length = file_head_read_further(text, MOST_BYTES, head);
    narrow(text, text, length);
    bool is = is_root(find_root(text), name);
    free(text);
    return is;
}

/* True if that is the root; "": any. */
static bool has_root(const struct file_head *head, const char *name)
{
    char text[FILE_HEAD_BYTES + 1];
    narrow(text, head->bytes, head->length);
    const char *root = find_root(text);
    if (root != NULL && *root == '\0' && *name != '\0' && !head->is_whole)
        return has_root_further(head, name);
    return is_root(root, name);
}

static bool is_scenario(const struct file_head *head)
{
    return has_root(head, "scenario");
}

static bool is_platform(const struct file_head *head)
{
    return has_root(head, "platform");
}

static bool is_cube(const struct file_head *head)
{
    return has_root(head, "cube");
}

static bool is_page(const struct file_head *head)
{
    return has_root(head, "html") || has_root(head, "HTML");
}

static bool is_xml(const struct file_head *head)
{
    return has_root(head, "");
}

/* --- traces that are read --- */

const char *const file_kind_ti_actions[] = {
    "init",     "finalize",  "compute",    "sleep",     "send",       "recv",     "isend",
    "irecv",    "Ssend",     "sendRecv",   "test",      "wait",       "waitall",  "barrier",
    "bcast",    "reduce",    "scan",       "allreduce", "exscan",     "alltoall", "gather",
    "scatter",  "allgather", "alltoallv",  "gatherv",   "allgatherv", "scatterv", "reducescatter",
    "location", "comm_size", "comm_split", "comm_dup",  NULL};

static bool is_action(const char *word)
{
    for (int i = 0; file_kind_ti_actions[i] != NULL; i++) {
        size_t length = strlen(file_kind_ti_actions[i]);
        if (strncmp(word, file_kind_ti_actions[i], length) == 0 && strchr(" \t\r\n", word[length]) != NULL)
            return true;
    }
    return false;
}

static bool is_action_of(const char *rank)
{
    const char *rest = skip_digits(rank);
    return rest > rank && (*rest == ' ' || *rest == '\t') && is_action(rest + strspn(rest, " \t"));
}

static bool is_ti(const struct file_head *head)
{
    return is_action_of(first_line(head));
}

static bool is_old_ti(const struct file_head *head)
{
    const char *line = first_line(head);
    return *line == 'p' && is_action_of(line + 1);
}

static bool is_of(const char *path, bool (*fits)(const struct file_head *head))
{
    struct file_head head;
    const struct file_kind *kind;
    return file_head_read(&head, &kind, path) && fits(&head);
}

/* A name is from the folder of the list, or else from the working directory. */
static bool names_ti(const char *list, const char *name, size_t length)
{
    char *beside = path_beside(list, name, length), *here = xformat("%.*s", (int)length, name);
    bool names = is_of(beside, is_ti) || is_of(here, is_ti);
    free(beside);
    free(here);
    return names;
}

/* True if each line is a word that ends as the names of SimGrid's files do; the last may be cut off. */
static bool has_names_only(const char *line, bool is_whole)
{
    while (*line != '\0') {
        size_t length = strcspn(line, " \t\r\n");
        const char *next = skip_space(line + length);
        bool is_name =
            (length > 4 && starts(line + length - 4, ".txt")) || (length > 3 && starts(line + length - 3, ".ti"));
        if (!is_name && (*next != '\0' || line[length] != '\0' || is_whole))
            return false;
        line = next;
    }
    return true;
}

static bool is_ti_list(const struct file_head *head)
{
    const char *line = first_line(head);
    size_t length = strcspn(line, "\r\n");
    bool is_cut = line[length] == '\0' && !head->is_whole;
    if (!head->lists || length == 0 || is_cut)
        return false;
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return has_names_only(line, head->is_whole) || names_ti(head->path, line, length);
}

static bool is_goal(const struct file_head *head)
{
    const char *text = skip_space(head->bytes);
    while (starts(text, "//") || starts(text, "/*"))
        text = skip_space(text[1] == '/' ? text + strcspn(text, "\n") : behind(text + 2, "*/"));
    return starts(text, "num_ranks") && strchr(" \t\r\n", text[strlen("num_ranks")]) != NULL;
}

static bool is_of_archive(const struct file_head *head)
{
    return head->length > 2 && head->bytes[0] == 3 && (head->bytes[1] == 'B' || head->bytes[1] == 'L');
}

/* --- of other programs --- */

static bool is_wide(const struct file_head *head)
{
    const char *bytes = head->bytes;
    return starts(bytes, "\377\376") || starts(bytes, "\376\377") ||
           (head->length > 3 && ((bytes[0] != '\0' && bytes[1] == '\0' && bytes[2] != '\0' && bytes[3] == '\0') ||
                                 (bytes[0] == '\0' && bytes[1] != '\0' && bytes[2] == '\0' && bytes[3] != '\0')));
}

/* Cube's members are N.index, N.data and anchor.xml, in any order. */
static bool is_cubex(const struct file_head *head)
{
    const char *rest = skip_digits(head->bytes);
    return strcmp(head->bytes, "anchor.xml") == 0 ||
           (rest > head->bytes && (strcmp(rest, ".index") == 0 || strcmp(rest, ".data") == 0));
}

static bool is_dumpi_text(const struct file_head *head)
{
    return starts(head->bytes, "MPI_") && has(head, " entering at walltime ");
}

static bool is_dumpi_meta(const struct file_head *head)
{
    return has(head, "numprocs=") && has(head, "fileprefix=");
}

/* A message of protobuf, behind its length, whose first field is a version, as "0.0.4". */
static bool is_chakra(const struct file_head *head)
{
    const unsigned char *bytes = (const unsigned char *)head->bytes;
    const char *version = head->bytes + 3;
    if (head->length < 6 || bytes[1] != 0x0a || bytes[2] == 0 || bytes[2] + 2 > bytes[0] || bytes[0] > 127)
        return false;
    return bytes[2] < head->length - 2 && strspn(version, "0123456789.") >= bytes[2];
}

static bool is_chakra_json(const struct file_head *head)
{
    return is_json(head) && (has(head, "chakra") || has(head, "\"ctrl_deps\"") || has(head, "\"ctrlDeps\""));
}

static bool is_trace_event(const struct file_head *head)
{
    return is_json(head) && (has(head, "\"traceEvents\"") || (has(head, "\"ph\"") && has(head, "\"ts\"")));
}

static bool is_profile(const struct file_head *head)
{
    return has(head, "rofile by libeppa");
}

static bool is_json_profile(const struct file_head *head)
{
    return is_json(head) && is_profile(head);
}

static bool is_answer(const struct file_head *head)
{
    return is_json(head) && has(head, "\"answer\"");
}

static bool is_tau(const struct file_head *head)
{
    const char *rest = skip_digits(head->bytes);
    return rest > head->bytes && starts(rest, " templated_functions");
}

/* --- the table --- */

const struct file_kind file_kind_absent = {FILE_ABSENT, "", ""}, file_kind_folder = {FILE_FOLDER, "a folder", ""},
                       file_kind_device = {FILE_DEVICE, "a pipe or a device", ""},
                       file_kind_empty = {FILE_EMPTY, "empty", ""},
                       file_kind_packed = {FILE_FOREIGN, "compressed by gzip", "unpack it first (gunzip)"};

#define MAGIC(is, bytes, name, advice)                                                                                 \
    {                                                                                                                  \
        .kind = {is, name, advice}, .begin = (bytes), .length = sizeof(bytes) - 1                                      \
    }
#define LINES(is, test, name, advice)                                                                                  \
    {                                                                                                                  \
        .kind = {is, name, advice}, .fits = (test)                                                                     \
    }
#define EXTENSION(is, text, name, advice)                                                                              \
    {                                                                                                                  \
        .kind = {is, name, advice}, .extension = (text)                                                                \
    }
#define ANALYSE "simrun FILE analyzes it, simrun --platform PLATFORM FILE replays it"
#define REPLAY "simrun --platform PLATFORM FILE replays it"
#define IS_PART "a part of an OTF2 archive"
#define IS_DUMPI "a DUMPI trace (SST)"
#define IS_CHAKRA "a Chakra execution trace"
#define IS_CUBE "a Cube profile (Score-P, Scalasca)"
#define IS_EXTRAP "an experiment of Extra-P"
#define MODEL "simrun model FILE makes models of it"
#define REFERENCE MODEL "; a scenario's <reference file=\"...\"/> names tables of measured values"
#define PROFILE "simrun FILE says where its time went"

const struct file_kind_row file_kind_rows[] = {
    MAGIC(FILE_OTF2, "\003BOTF2", "an OTF2 trace", ANALYSE),
    MAGIC(FILE_OTF2, "\003LOTF2", "an OTF2 trace", ANALYSE),
    MAGIC(FILE_STORE, FILE_KIND_STORE "\0", "an SQLite database", "simrun store ls FILE lists the runs of a store"),
    MAGIC(FILE_GOAL, "\177\020\0\0\0\0\0\0", "a GOAL schedule", REPLAY),
    MAGIC(FILE_GOAL, "\046\011\0\0\0\0\0\0", "a GOAL schedule", REPLAY),
    LINES(FILE_OTF2_PART, is_of_archive, IS_PART, "use its anchor, NAME.otf2"),
    MAGIC(FILE_FOREIGN, "\377\252\335DUMPI", IS_DUMPI, READS),
    MAGIC(FILE_FOREIGN, "IPMUD\335\252\377", IS_DUMPI, READS),
    MAGIC(FILE_FOREIGN, "\177ELF", "a program or a library", "trace its run: " TRACED),
    MAGIC(FILE_FOREIGN, "#!", "a script", ""),
    MAGIC(FILE_FOREIGN, "%PDF-", "a PDF document", ""),
    MAGIC(FILE_FOREIGN, "\211PNG\r\n", "a picture (PNG)", ""),
    MAGIC(FILE_FOREIGN, "\377\330\377", "a picture (JPEG)", ""),
    MAGIC(FILE_FOREIGN, "GIF8", "a picture (GIF)", ""),
    MAGIC(FILE_FOREIGN, "\211HDF\r\n", "an HDF5 file", READS),
    MAGIC(FILE_FOREIGN, "\037\213", "compressed by gzip", "unpack it first (gunzip)"),
    MAGIC(FILE_FOREIGN, "BZh", "compressed by bzip2", "unpack it first (bunzip2)"),
    MAGIC(FILE_FOREIGN, "\3757zXZ\0", "compressed by xz", "unpack it first (unxz)"),
    MAGIC(FILE_FOREIGN, "\050\265\057\375", "compressed by zstd", "unpack it first (unzstd)"),
    MAGIC(FILE_FOREIGN, "\004\042\115\030", "compressed by lz4", "unpack it first (unlz4)"),
    {.kind = {FILE_DATASET, IS_EXTRAP, MODEL}, .begin = "PK\003\004", .fits = kind_is_experiment},
    {.kind = {FILE_DATASET, IS_EXTRAP, MODEL}, .begin = "PK\003\004", .extension = ".extra-p"},
    MAGIC(FILE_FOREIGN, "PK\003\004", "a zip archive", UNPACK),
    MAGIC(FILE_FOREIGN, "7z\274\257\047\034", "a 7-Zip archive", UNPACK),
    {.kind = {FILE_CUBE, IS_CUBE, PROFILE}, .offset = 257, .begin = "ustar", .fits = is_cubex},
    {.kind = {FILE_CUBE, IS_CUBE, PROFILE}, .offset = 257, .begin = "ustar", .extension = ".cubex"},
    {.kind = {FILE_FOREIGN, "a tar archive", UNPACK}, .offset = 257, .begin = "ustar"},
    LINES(FILE_SCENARIO, is_scenario, "a scenario", "simrun FILE simulates it"),
    LINES(FILE_PLATFORM, is_platform, "a platform file",
          "name it in a scenario's <platform file=\"...\"/>, replay a trace on it with --platform, or query it with "
          "simrun "
          "forecast"),
    LINES(FILE_FOREIGN, is_cube, "the anchor of a Cube profile", "use the archive that it is from, NAME.cubex"),
    LINES(FILE_FOREIGN, is_page, "a web page", ""),
    LINES(FILE_XML, is_xml, "XML of another kind", ""),
    LINES(FILE_FOREIGN, is_wide, "text in UTF-16", "convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)"),
    MAGIC(FILE_PARAVER, "#Paraver ", "a Paraver trace", ANALYSE),
    MAGIC(FILE_FOREIGN, "DEFAULT_OPTIONS", "the names of a Paraver trace (.pcf)", "use the trace, NAME.prv"),
    MAGIC(FILE_FOREIGN, "LEVEL CPU SIZE", "the rows of a Paraver trace (.row)", "use the trace, NAME.prv"),
    MAGIC(FILE_FOREIGN, "%EventDef", "a Paje trace", READS),
    MAGIC(FILE_FOREIGN, "@ mpiP", "a profile by mpiP", "it has totals, not events; " TRACED),
    MAGIC(FILE_FOREIGN, "CLOG-0", "a CLOG-2 trace (MPE)", READS),
    MAGIC(FILE_FOREIGN, "SLOG 2", "a SLOG-2 trace (Jumpshot)", READS),
    MAGIC(FILE_FOREIGN, "EPILOG", "an EPILOG trace (KOJAK)", READS),
    MAGIC(FILE_FOREIGN, "/* CTF 1", "a CTF trace (LTTng)", READS),
    MAGIC(FILE_FOREIGN, "HPCTOOLKIT", "a profile by HPCToolkit", TRACED),
    MAGIC(FILE_FOREIGN, "PERFILE2", "samples by perf", TRACED),
    MAGIC(FILE_FOREIGN, "gmon\001", "a profile for gprof", TRACED),
    MAGIC(FILE_FOREIGN, "version https://git-lfs", "a pointer of Git LFS, not the file itself",
          "git lfs pull fetches the file"),
    LINES(FILE_FOREIGN, is_dumpi_text, "a DUMPI trace as text (dumpi2ascii)", READS),
    LINES(FILE_FOREIGN, is_dumpi_meta, "the list of a DUMPI trace (.meta)", READS),
    LINES(FILE_RUN_PROFILE, is_json_profile, "a profile by libeppa",
          "simrun compare takes it; with EPPA_FILE=NAME.otf2 libeppa writes a trace"),
    LINES(FILE_FOREIGN, is_profile, "a profile by libeppa", "with EPPA_FILE=NAME.otf2 libeppa writes a trace"),
    LINES(FILE_FOREIGN, is_chakra_json, IS_CHAKRA " (JSON)", READS),
    LINES(FILE_FOREIGN, is_trace_event, "a Trace Event file (Chrome, Perfetto)", READS),
    LINES(FILE_FOREIGN, is_answer, "output of simrun (JSON)", "use --store FILE to keep and compare results"),
    LINES(FILE_DATASET, kind_is_extrap_json, "measurements for Extra-P (JSON)", MODEL),
    LINES(FILE_DATASET, kind_is_json_table, "a table (JSON)", MODEL),
    LINES(FILE_FOREIGN, is_json, "a JSON file", READS),
    LINES(FILE_DATASET, kind_is_extrap, "measurements for Extra-P", MODEL),
    LINES(FILE_FOREIGN, is_tau, "a profile by TAU", "it has totals, not events; " TRACED),
    LINES(FILE_DATASET, kind_is_marked_table, "a table (CSV)", REFERENCE),
    LINES(FILE_FOREIGN, is_marked, "text with a byte order mark", "remove that first (sed '1s/^\\xEF\\xBB\\xBF//')"),
    LINES(FILE_TI, is_ti, "a TI trace (SimGrid)", REPLAY),
    LINES(FILE_TI, is_ti_list, "the list of a TI trace (SimGrid)", REPLAY),
    LINES(FILE_FOREIGN, is_old_ti, "a trace in an old format of SimGrid (p0 send p1 1e6)",
          "smpirun -trace-ti writes TI, which simrun reads"),
    LINES(FILE_GOAL, is_goal, "a GOAL schedule", REPLAY),
    LINES(FILE_DATASET, kind_is_table, "a table (CSV)", REFERENCE),
    LINES(FILE_FOREIGN, is_chakra, IS_CHAKRA, READS),
    EXTENSION(FILE_OTF2_PART, ".def", IS_PART, "use its anchor, NAME.otf2"),
    EXTENSION(FILE_OTF2_PART, ".evt", IS_PART, "use its anchor, NAME.otf2"),
    EXTENSION(FILE_DATASET, ".csv", "a table (CSV)", REFERENCE),
    EXTENSION(FILE_DATASET, ".tsv", "a table (CSV)", REFERENCE),
    EXTENSION(FILE_DATASET, ".jsonl", "a table (JSON)", MODEL),
    EXTENSION(FILE_FOREIGN, ".et", IS_CHAKRA, READS),
    EXTENSION(FILE_FOREIGN, ".paje", "a Paje trace", READS),
    EXTENSION(FILE_FOREIGN, ".stf", "a trace of Intel's Trace Collector", READS),
    EXTENSION(FILE_FOREIGN, ".otf", "an OTF trace, of version 1", READS),
    EXTENSION(FILE_FOREIGN, ".darshan", "a log of Darshan", READS),
    EXTENSION(FILE_FOREIGN, ".nsys-rep", "a report of Nsight Systems", READS),
    {.kind = {FILE_UNKNOWN, "", ""}},
};
