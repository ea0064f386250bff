/* Tables of benchmarks: what is read of each format, and each mistake with its message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "measurement/benchmark.h"

#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path;

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fwrite(text, 1, strlen(text), stream);
    fclose(stream);
}

/* "name bytes time ranks/hosts/pairs wWINDOW @line", rows and notes joined by "|"; to be freed. */
static char *describe(const struct benchmarks *benchmarks)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; i < benchmarks->n_rows; i++) {
        const struct benchmark_row *row = &benchmarks->rows[i];
        fprintf(stream, "%s%s %lld %.6g %d/%d/%d w%d @%ld", i > 0 ? "|" : "", row->spec->name, (long long)row->bytes,
                row->time_s, row->ranks, row->hosts, row->pairs, row->window, row->line);
    }
    for (size_t i = 0; i < benchmarks->n_notes; i++)
        fprintf(stream, "|not %s @%ld", benchmarks->notes[i].what, benchmarks->notes[i].line);
    fclose(stream);
    return text;
}

#define OSU_LATENCY "# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n"
#define OSU_MBW_MR                                                                                                     \
    "# OSU MPI Multiple Bandwidth / Message Rate Test v5.8\n# [ pairs: 2 ] [ window size: 32 ]\n"                      \
    "# Size                  MB/s        Messages/s\n"
#define IMB(name, n, head) "# Benchmarking " name " \n# #processes = " n " \n       " head "\n"

static const struct {
    const char *name, *facts, *text, *rows;
} good[] = {
    {"osu_latency", "", OSU_LATENCY "0                       1.16\n8                       1.20\nreal 2.5\n99 1\n",
     "osu_latency 0 1.16e-06 2/2/1 w64 @3|osu_latency 8 1.2e-06 2/2/1 w64 @4"},
    {"carriage returns", "", "# OSU MPI Latency Test v5.8\r\n# Size          Latency (us)\r\n8    1.5\r\n",
     "osu_latency 8 1.5e-06 2/2/1 w64 @3"},
    {"within a host", ":hosts=1", OSU_LATENCY "8   0.5\n", "osu_latency 8 5e-07 2/1/1 w64 @3"},
    {"rates by messages", "", OSU_MBW_MR "4      8.00      2000000.00\n", "osu_mbw_mr 4 1e-06 4/0/2 w32 @4"},
    {"rates by messages, two hosts", ":hosts=2", OSU_MBW_MR "4   8.00   2000000.00\n",
     "osu_mbw_mr 4 1e-06 4/2/2 w32 @4"},
    {"launched by jsrun", "", "time jsrun -n 4 -a 1 -c 1 -r 1 x/osu_mbw_mr\n" OSU_MBW_MR "4   8.00   2000000.00\n",
     "osu_mbw_mr 4 1e-06 4/4/2 w32 @5"},
    {"two resource sets a host", "", "jsrun -n 4 -r 2 x/osu_mbw_mr\n" OSU_MBW_MR "4   8.00   2000000.00\n",
     "osu_mbw_mr 4 1e-06 4/2/2 w32 @5"},
    {"launched by srun", "",
     "+ srun -N2 --ntasks=64 osu_allreduce\n# OSU MPI Allreduce Latency Test v5.8\n# Size       Avg Latency(us)\n"
     "4   3.5\n",
     "osu_allreduce 4 3.5e-06 64/2/1 w64 @4"},
    {"two heads", ":hosts=2",
     "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.1\n# Size          Latency (us)\n"
     "# [ pairs: 24 ] [ window size: 64 ]\n# Size                  MB/s        Messages/s\n1  13.49  12000000\n",
     "osu_mbw_mr 1 2e-06 48/2/24 w64 @5"},
    {"bandwidth", "", "# OSU MPI Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1000   500\n",
     "osu_bw 1000 2e-06 2/2/1 w64 @3"},
    {"both ways", "", "# OSU MPI Bi-Directional Bandwidth Test v5.8\n# Size      Bandwidth (MB/s)\n1000   500\n",
     "osu_bibw 1000 4e-06 2/2/1 w64 @3"},
    {"tail latencies", "",
     "# OSU MPI Latency Test v7.3\n# Size          Latency (us)  P50 Tail Lat(us)  P99 Tail Lat(us)\n"
     "# Datatype: MPI_CHAR.\n1     2.09     2.08     2.15\n",
     "osu_latency 1 2.09e-06 2/2/1 w64 @4|not P50 Tail Lat(us), P99 Tail Lat(us) @2"},
    {"tail bandwidths", "",
     "# OSU MPI Bandwidth Test v7.3\n# Size      Bandwidth (MB/s) P50 Tail BW(MB/s) P99 Tail BW(MB/s)\n"
     "1000   500   490   510\n",
     "osu_bw 1000 2e-06 2/2/1 w64 @3|not P50 Tail BW(MB/s), P99 Tail BW(MB/s) @2"},
    {"full output", ":ranks=8,hosts=4",
     "# OSU MPI Broadcast Latency Test v5.7\n"
     "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n1   2.0   1.0   3.0   1000\n",
     "osu_bcast 1 2e-06 8/4/1 w64 @3|not Min Latency(us), Max Latency(us), Iterations @2"},
    {"barrier", ":ranks=8,hosts=4", "# OSU MPI Barrier Latency Test v5.7\n# Avg Latency(us)\n             7.5\n",
     "osu_barrier 0 7.5e-06 8/4/1 w64 @3"},
    {"GPU memory", "",
     OSU_LATENCY "8    1.2\n# OSU MPI Latency Test v5.8\n# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n"
                 "# Size          Latency (us)\n8   3.3\n",
     "osu_latency 8 1.2e-06 2/2/1 w64 @3|not osu_latency @4"},
    {"another benchmark", "", OSU_LATENCY "8    1.2\n# OSU MPI Hello World Test v5.8\nThis is a test\n",
     "osu_latency 8 1.2e-06 2/2/1 w64 @3|not OSU MPI Hello World Test v5.8 @4"},
    {"IMB PingPong", "",
     IMB("PingPong", "2", "#bytes #repetitions      t[usec]   Mbytes/sec") "   8   1000   1.50   5.3\n",
     "IMB PingPong 8 1.5e-06 2/2/1 w64 @4"},
    {"IMB Uniband", ":hosts=2",
     IMB("Uniband", "4", "#bytes #repetitions   Mbytes/sec      Msg/sec") "   0   1000   0.00   4000000\n",
     "IMB Uniband 0 5e-07 4/2/2 w64 @4"},
    {"IMB Biband", ":hosts=2",
     IMB("Biband", "4", "#bytes #repetitions   Mbytes/sec      Msg/sec") "   8   1000   32.00   4000000\n",
     "IMB Biband 8 1e-06 4/2/2 w64 @4"},
    {"IMB Sendrecv", "",
     IMB("Sendrecv", "2",
         "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec") "   8   1000   1.0   3.0   2.0   "
                                                                                    "8.0\n",
     "IMB Sendrecv 8 2e-06 2/2/1 w64 @4|not t_min[usec], t_max[usec] @3"},
    {"IMB out of memory", ":hosts=8",
     IMB("Allgather", "64",
         "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]") "   8   1000   1.0   3.0   2.0\n   16 "
                                                                       "out-of-mem.; needed X=   1.003 GB\n",
     "IMB Allgather 8 2e-06 64/8/1 w64 @4|not t_min[usec], t_max[usec] @3|not IMB Allgather @5"},
    {"NetPIPE's file", "", "       1 0.276301   0.00002761\n       2 0.550881   0.00002770\n",
     "NetPIPE 1 2.761e-05 2/2/1 w64 @1|NetPIPE 2 2.77e-05 2/2/1 w64 @2"},
    {"NetPIPE on a terminal", "",
     "Now starting the main loop\n  0:       1 bytes   1000 times -->      0.28 Mbps in      27.61 usec\n",
     "NetPIPE 1 2.761e-05 2/2/1 w64 @2"},
    {"mpptest", "", "\n#p0\tp1\tdist\tlen\tave time (us)\trate\n0\t1\t1\t32\t2.500000\t1.280e+07\n",
     "mpptest 32 2.5e-06 2/2/1 w64 @3|not p0, p1, dist, rate @2"},
    {"CSV", "", "bytes,latency_us\n8,1.5\n", "latency 8 1.5e-06 2/2/1 w64 @2"},
    {"CSV with an index", "", ",Size,Latency(us),nodes\n0,8,1.5,4\n", "latency 8 1.5e-06 2/2/1 w64 @2"},
    {"CSV of windows", "", "size;bw [GB/s]\n1000;0.5\n", "bandwidth 1000 2e-06 2/2/1 w64 @2"},
    {"CSV of pairs", ":hosts=2", "size,MB/s,pairs\n1000,500,4\n", "bandwidth 1000 8e-06 8/2/4 w64 @2"},
    {"CSV of several", "", "benchmark,ranks,ppn,size,time [ms]\nlatency,2,1,8,0.002\nallreduce,64,32,8,0.01\n",
     "latency 8 2e-06 2/2/1 w64 @2|allreduce 8 1e-05 64/2/1 w64 @3"},
    {"CSV of a collective", ":test=allreduce,ranks=64,hosts=2", "Size,Avg Latency(us)\n8,10\n",
     "allreduce 8 1e-05 64/2/1 w64 @2"},
    {"KiB", "", "size (KiB),time (ms)\n2,1\n", "latency 2048 0.001 2/2/1 w64 @2"},
};

static void check(const char *name, const char *facts, const char *text, const char *expected)
{
    struct benchmarks benchmarks = {0};
    struct benchmark_facts told;
    struct sim_error error = {.message = ""};
    char *argument = xformat("%s%s", path, facts), *file = NULL;
    write_file(text);
    int status = benchmark_split(&file, &told, argument, &error);
    if (status == 0)
        status = benchmarks_read(&benchmarks, file, &told, &error);
    const char *message =
        strncmp(error.message, path, strlen(path)) == 0 ? error.message + strlen(path) : error.message;
    char *found = status == 0 ? describe(&benchmarks) : xstrdup(message);
    if (strcmp(found, expected) != 0)
        printf("\n  %s: %s", name, found);
    CU_ASSERT_STRING_EQUAL(found, expected);
    benchmarks_dispose(&benchmarks);
    free(found);
    free(argument);
    if (file != NULL)
        free(file);
}

static void test_good(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        check(good[i].name, good[i].facts, good[i].text, good[i].rows);
}

static const struct {
    const char *name, *facts, *text, *message;
} bad[] = {
    {"no table", "", "hello\n",
     ": has no table that is known; known: outputs of OSU's micro-benchmarks, Intel's (IMB), NetPIPE and mpptest, and "
     "CSV with columns such as bytes,latency_us"},
    {"empty", "", "", ": is empty"},
    {"no rows", "", OSU_LATENCY "real 2.5\n", ":1: osu_latency has no rows"},
    {"a time of 0", "", OSU_LATENCY "8    0.00\n", ":3: osu_latency: the time of 8 bytes is 0; allowed: above 0"},
    {"a rate of 0", "", OSU_MBW_MR "4    0.00    0.00\n", ":4: osu_mbw_mr: the rate of 4 bytes is 0; allowed: above 0"},
    {"a row is cut", "", OSU_MBW_MR "4    8.00\n", ":4: 2 values, but line 3 names 3 columns"},
    {"no number", "", OSU_LATENCY "8    nan\n", ":3: column 'Latency (us)': 'nan' is not a number from 0 on"},
    {"negative", "", OSU_LATENCY "8    -1\n", ":3: column 'Latency (us)': '-1' is not a number from 0 on"},
    {"no column of times", "", "# OSU MPI Latency Test v5.8\n# Size      Bandwidth (MB/s)\n8   1\n",
     ":2: osu_latency has no column of times; allowed: Latency (us), Avg Latency(us), t_avg[usec], time_s"},
    {"no column of rates", "", "# OSU MPI Bandwidth Test v5.8\n# Size          Latency (us)\n8   1\n",
     ":2: osu_bw has no column of rates; allowed: Bandwidth (MB/s), MB/s, Messages/s, Msg/sec"},
    {"no unit", "", "Size,Latency\n8,1\n",
     ":1: column 'Latency' says no unit; write one behind it, such as 'Latency (us)'; known: of times ns us ms s, of "
     "rates B/s kB/s MB/s GB/s KiB/s MiB/s GiB/s Mbps Gbps messages/s, of lengths B KiB MiB"},
    {"an unknown unit", "", "Size,Latency (jiffies)\n8,1\n",
     ":1: column 'Latency (jiffies)': unknown unit 'jiffies'; known: of times ns us ms s, of rates B/s kB/s MB/s GB/s "
     "KiB/s MiB/s GiB/s Mbps Gbps messages/s, of lengths B KiB MiB"},
    {"KB", "", "Size (KB),Latency (us)\n8,1\n",
     ":1: column 'Size (KB)': 'KB' is 1000 or 1024 of the smaller unit; allowed: B KiB MiB"},
    {"three numbers", "", "1 2 3\n",
     ":1: three numbers without names of columns, and they are not those of NetPIPE: bytes, Mbps and seconds, of which "
     "each follows from the two others"},
    {"two machines in a column", "", "machine,size,time_us\na,8,1\nb,8,2\n",
     ":3: is of 'b', and line 2 of 'a'; allowed: files of one machine, so give each a file of its own"},
    {"two machines in a log", "",
     "# Machine               : x86_64\n" IMB(
         "PingPong", "2", "#bytes #repetitions      t[usec]   Mbytes/sec") "   8   1000   1.50   5.3\n# Machine        "
                                                                           "       : aarch64\n",
     ":6: is of 'aarch64', and line 1 of 'x86_64'; allowed: files of one machine, so give each a file of its own"},
    {"pairs that nobody says", "", "Size,MB/s,nodes\n8,1,4\n",
     ":2: bandwidth: 4 hosts, and nothing says how many pairs send; allowed: a column pairs or ranks"},
    {"facts", ":rank=2", OSU_LATENCY "8   1\n",
     "'rank' behind the name of a file; known: ranks=N hosts=N wires=N test=NAME"},
    {"ranks", ":ranks=0", OSU_LATENCY "8   1\n", "ranks: '0' is outside 1 ... 1048576"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check(bad[i].name, bad[i].facts, bad[i].text, bad[i].message);
}

/* Messages that name the file, which is a temporary one, too. */
static void test_bad_placement(void)
{
    char *message = xformat(":6: IMB PingPong: ranks 0 and 1 measure while others wait, on one host or on two: write "
                            "which behind the file's name, such as %s:hosts=1",
                            path);
    check("others wait", "",
          "# Benchmarking PingPong \n# #processes = 2 \n# ( 46 additional processes waiting in MPI_Barrier) \n#---\n"
          "       #bytes #repetitions      t[usec]   Mbytes/sec\n   8   1000   1.50   5.3\n",
          message);
    free(message);
    message =
        xformat(":1: 'Avg Latency(us)' is a column of a collective, and nothing says of which: write it behind the "
                "file's name, such as %s:test=allreduce,ranks=64,hosts=4",
                path);
    check("which collective", "", "Size,Avg Latency(us)\n8,1\n", message);
    free(message);
}

int main(void)
{
    static const struct test tests[] = {
        {"good files", test_good},
        {"bad files", test_bad},
        {"bad placements", test_bad_placement},
        {NULL, NULL},
    };
    char name[] = "/tmp/benchmark-XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    path = name;
    int status = testing_run("benchmark", tests);
    unlink(name);
    return status;
}
