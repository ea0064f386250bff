/* pdgemm's variant `library`: its messages against those of the real library, counted; that all is multiplied and added
 * once, for any shape; and that it ends on a machine that buffers and on one that does not.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/kernel/kernel.h"
#include "sim/platform/platform.h"
#include "sim/simulate.h"
#include "tests/apps/scalapack/pdgemm.h"
#include "tests/sim/network/named.h"
#include "tests/testing.h"

#include <stdlib.h>

struct shape {
    int p, q, m, n, k, block;
};

/* Messages of pdgemm of ScaLAPACK 2.2.1 (libscalapack-openmpi), counted through PMPI. Its own, for all pairs of ranks
 * between which there is one: sender>receiver, messages, bytes. Of MPI's collectives, for all ranks but the root: rank<
 * broadcasts, bytes; rank+ sums, bytes. A sum that all get is a sum for the first and a broadcast. */
static const struct {
    struct shape shape;
    const char *traffic;
} counted[] = {
    {{1, 1, 263, 296, 3, 32}, ""},
    {{1, 2, 4, 64, 150, 20}, "1< 1 4800 1+ 1 4800"},
    {{1, 2, 7, 9, 110, 7}, "0< 3 3024 1< 2 3136"},
    {{1, 2, 9, 32, 112, 50}, "1>0 1 3600"},
    {{1, 2, 53, 157, 6, 50}, "1< 1 2544"},
    {{1, 2, 256, 256, 256, 64}, "0>1 4 262144 1>0 4 262144"},
    {{1, 2, 294, 4, 93, 20}, "0>1 1 1280 1+ 1 9408"},
    {{2, 1, 6, 20, 102, 64}, "0>1 1 1824 1+ 1 960"},
    {{2, 1, 8, 5, 46, 32}, "1>0 1 560"},
    {{2, 1, 14, 54, 132, 20}, "0>1 1 6720 1+ 1 6048"},
    {{2, 1, 46, 52, 176, 64}, "1>0 3 26624"},
    {{2, 1, 99, 73, 12, 64}, "1< 1 7008"},
    {{2, 1, 256, 256, 256, 64}, "0>1 4 262144 1>0 4 262144"},
    {{1, 3, 8, 81, 24, 20}, "0< 1 256 1< 1 1280 2< 2 1536"},
    {{1, 3, 14, 78, 113, 50}, "1< 1 12656 1+ 1 12656 2< 1 12656 2+ 1 12656"},
    {{1, 3, 15, 16, 81, 50}, "0>1 1 3968 1+ 1 1920 2+ 1 1920"},
    {{1, 3, 63, 19, 176, 4},
     "0>1 1 3840 0>2 1 3584 1>0 1 3360 1>2 1 3136 2>0 1 1920 2>1 1 1920 0+ 2 5544 1+ 2 6048 2+ 2 7560"},
    {{1, 3, 74, 48, 31, 50}, ""},
    {{1, 3, 200, 200, 200, 20}, "0>1 6 224000 1>2 6 224000 2>0 6 192000"},
    {{3, 1, 4, 26, 6, 32}, ""},
    {{3, 1, 13, 9, 80, 20}, "1>0 1 1440 2>0 2 1440"},
    {{3, 1, 26, 102, 106, 64}, "0>1 1 8736 1+ 1 21216 2+ 1 21216"},
    {{3, 1, 38, 77, 287, 7},
     "0>1 1 10976 0>2 1 10192 1>0 1 10976 1>2 1 10192 2>0 1 7840 2>1 1 7840 0+ 2 14784 1+ 2 14784 2+ 2 17248"},
    {{3, 1, 138, 4, 98, 64}, "1< 1 3136 1+ 1 3136 2< 1 3136 2+ 1 3136"},
    {{1, 4, 9, 60, 67, 64}, "1>0 1 216"},
    {{1, 4, 20, 24, 27, 64}, ""},
    {{1, 4, 27, 11, 44, 64}, ""},
    {{1, 4, 66, 158, 240, 4}, "0>1 8 95040 1>2 8 95040 2>3 8 95040 3>0 9 95040"},
    {{1, 4, 99, 12, 216, 4},
     "0>1 1 1792 0>2 1 1664 0>3 1 1664 1>0 1 1792 1>2 1 1664 1>3 1 1664 2>0 1 1792 2>1 1 1792 2>3 1 1664 "
     "0+ 2 6336 1+ 2 6336 2+ 2 6336 3+ 3 9504"},
    {{1, 4, 256, 256, 256, 64}, "0>1 6 393216 1>2 6 393216 2>3 6 393216 3>0 6 393216"},
    {{2, 2, 5, 96, 76, 16}, "1>2 1 1280 1< 1 1760 2+ 1 1920 3< 1 1280 3+ 1 1920"},
    {{2, 2, 9, 214, 56, 64}, "1< 1 4032"},
    {{2, 2, 23, 72, 31, 32}, "1< 1 5704"},
    {{2, 2, 58, 31, 86, 4}, "0< 4 15456 1< 4 15600 2< 4 15040 3< 4 15136"},
    {{2, 2, 94, 29, 101, 7},
     "1>0 1 5824 2>1 1 5880 3>1 1 5488 0+ 1 5488 1+ 1 5880 2< 2 12064 2+ 1 5040 3< 2 11368 3+ 1 5400"},
    {{2, 2, 256, 256, 256, 64},
     "0>1 4 131072 0>2 4 131072 1>0 4 131072 1>3 4 131072 2>0 4 131072 2>3 4 131072 3>1 4 131072 3>2 4 131072"},
    {{2, 2, 256, 256, 256, 100},
     "0>1 5 194688 0>2 5 194688 1>0 4 124800 1>3 5 124800 2>0 4 124800 2>3 5 124800 3>1 4 80000 3>2 4 80000"},
    {{4, 1, 7, 300, 34, 20}, "0>1 1 784 1+ 1 16800 2+ 1 16800 3+ 1 16800"},
    {{4, 1, 31, 64, 141, 4}, "0< 6 53760 1< 6 53760 2< 6 53760 3< 6 55296"},
    {{4, 1, 46, 276, 221, 16},
     "0>1 1 7808 0>2 1 6144 0>3 1 6144 1>0 1 8192 1>2 1 6144 1>3 1 6144 2>0 1 7168 2>1 1 6832 2>3 1 5376 "
     "0+ 2 66240 1+ 2 66240 2+ 2 70656 3+ 3 101568"},
    {{4, 1, 230, 54, 42, 16}, "0>1 2 11232 1>2 2 13824 2>3 3 18144 3>0 2 11232"},
    {{4, 1, 253, 4, 86, 16}, "1< 1 2752 1+ 1 2752 2< 1 2752 2+ 1 2752 3< 1 2752 3+ 1 2752"},
    {{4, 1, 256, 256, 256, 64}, "0>1 6 393216 1>2 6 393216 2>3 6 393216 3>0 6 393216"},
    {{2, 3, 15, 31, 49, 64}, ""},
    {{2, 3, 17, 55, 93, 4},
     "0>3 1 1152 1>0 1 1152 1>3 1 1152 2>0 1 1152 2>3 1 936 3>0 1 1024 4>0 1 1024 4>3 1 1024 5>0 1 1024 5>3 1 832 "
     "0+ 1 1280 1< 2 6528 1+ 1 1216 2< 2 6528 2+ 1 1024 3+ 1 1440 4< 2 6120 4+ 1 1368 5< 2 6120 5+ 1 1152"},
    {{2, 3, 32, 23, 5, 50}, ""},
    {{2, 3, 108, 100, 25, 20}, "0< 2 4000 1< 2 11200 2< 3 12800 3< 2 8320 4< 2 14080 5< 3 12800"},
    {{2, 3, 169, 35, 269, 20},
     "0>1 1 6400 0>2 1 6400 0>3 2 28000 1>0 1 7200 1>2 1 4800 1>4 2 24920 2>5 2 22400 3>0 1 6400 3>1 1 7840 "
     "3>2 1 6400 4>0 1 4800 4>1 1 5880 4>2 1 4800 0+ 1 10680 1+ 1 14240 2+ 2 24920 3+ 1 9600 4+ 1 12800 "
     "5+ 2 22400"},
    {{2, 3, 200, 200, 200, 20},
     "0>1 8 112000 0>3 6 64000 1>2 8 112000 1>4 6 48000 2>0 8 96000 2>5 6 48000 3>0 6 64000 3>4 8 112000 "
     "4>1 6 48000 4>5 8 112000 5>2 6 48000 5>3 8 96000"},
    {{2, 3, 300, 400, 500, 64},
     "0>1 12 440320 0>3 9 294912 1>2 12 511872 1>4 9 262144 2>0 12 423808 2>5 9 262144 3>0 9 281088 3>4 12 327680 "
     "4>1 9 249856 4>5 12 380928 5>2 9 249856 5>3 12 315392"},
    {{3, 2, 27, 227, 80, 4},
     "0>2 1 1056 0>4 1 1056 1>0 1 1056 1>2 1 1408 1>4 1 1056 2>0 1 1024 2>4 1 768 3>0 1 768 3>2 1 1024 3>4 1 768 "
     "4>0 1 1024 4>2 1 768 5>0 1 768 5>2 1 1024 5>4 1 768 0+ 2 14720 1< 3 6048 1+ 2 14336 2+ 2 17480 3< 3 6048 "
     "3+ 2 17024 4+ 2 17480 5< 3 5184 5+ 2 17024"},
    {{3, 2, 55, 139, 297, 16},
     "0>1 3 46200 0>2 1 8832 0>4 1 8832 1>0 1 8832 1>2 1 8832 1>4 1 8832 2>0 1 7296 2>3 3 42240 2>4 1 6144 "
     "3>0 1 6144 3>2 1 6144 3>4 1 6144 4>0 1 7296 4>2 1 6144 4>5 3 42240 5>0 1 6144 5>2 1 6144 5>4 1 6144 "
     "0+ 2 19200 1+ 2 16384 2+ 2 23400 3+ 2 19968 4+ 2 23400 5+ 2 19968"},
    {{3, 2, 72, 13, 30, 64}, "2< 1 3120 4< 1 3120"},
    {{3, 2, 175, 30, 69, 16}, "0< 8 21120 1< 9 23088 2< 7 22272 3< 8 24024 4< 8 19072 5< 9 20144"},
    {{3, 2, 282, 43, 93, 4},
     "0>1 3 36864 0>2 4 11224 1>0 3 34560 1>3 4 9760 2>3 3 36096 2>4 4 11776 3>2 3 33840 3>5 4 10240 4>0 4 11224 "
     "4>5 3 35328 5>1 4 9760 5>4 3 33120"},
    {{2, 4, 3, 87, 12, 20}, "1< 1 288 2< 1 288 3< 1 288"},
    {{2, 4, 33, 83, 115, 64},
     "0>1 3 16896 1>2 3 16896 1>4 3 13464 2>3 3 16896 4>5 3 13464 5>6 3 13464 6>7 3 13464 4+ 3 16896 5+ 3 5016"},
    {{2, 4, 90, 64, 10, 4}, "0< 3 2720 1< 3 2720 2< 3 3456 3< 4 4192 4< 4 2880 5< 4 2880 6< 4 3584 7< 5 4288"},
    {{2, 4, 107, 76, 8, 50}, "1< 1 3648 2< 1 3648 3< 1 3648 4< 1 3200 5< 2 4864 6< 1 3200 7< 1 3200"},
    {{2, 4, 181, 9, 73, 20},
     "0>2 1 1440 4>1 1 1440 4>3 1 936 1+ 1 7200 2+ 1 7200 3+ 1 7200 4< 1 1440 5< 1 1440 5+ 1 5832 6< 1 1440 "
     "6+ 1 5832 7< 1 936 7+ 1 5832"},
    {{4, 2, 11, 264, 233, 50},
     "0>4 1 4400 1>2 1 4400 1>6 1 4400 1< 1 7304 2+ 1 13200 3< 1 4400 3+ 1 10032 4+ 1 13200 5< 1 4400 5+ 1 10032 "
     "6+ 1 13200 7< 1 4400 7+ 1 10032"},
    {{4, 2, 17, 21, 33, 16}, "0< 5 4224 1< 5 2856 2< 4 2304 3< 4 816 4< 3 4096 5< 3 1280 6< 4 4224 7< 4 1320"},
    {{4, 2, 43, 198, 280, 7},
     "0>1 4 24080 0>4 1 7840 1>2 1 7840 1>6 1 7840 2>0 1 7840 2>3 4 24080 2>4 1 7840 3>2 1 7840 3>6 1 7840 "
     "4>0 1 4480 4>5 4 24080 5>2 1 4480 5>6 1 4480 6>0 1 3920 6>4 1 3920 6>7 4 24080 7>2 1 3920 7>6 1 3920 "
     "0+ 3 23200 1+ 3 22736 2+ 3 23200 3+ 3 22736 4+ 3 28000 5+ 3 27440 6+ 3 28800 7+ 3 28224"},
    {{4, 2, 181, 29, 20, 50}, "2< 1 4640 4< 1 4640 6< 1 4640"},
    {{4, 2, 217, 29, 89, 4},
     "1>0 1 2496 2>1 1 3072 3>1 1 2496 4>0 1 2688 5>0 1 2184 6>1 1 2560 7>1 1 2080 0+ 1 5824 1+ 1 7168 2< 2 10440 "
     "2+ 1 5824 3< 2 10208 3+ 1 7168 4< 2 10440 4+ 1 5512 5< 2 10208 5+ 1 6784 6< 2 10440 6+ 1 5408 7< 2 10208 "
     "7+ 1 6656"},
    /* at the limits: a side of 32, of a block */
    {{2, 2, 32, 100, 70, 16}, "0< 4 17408 1< 4 17152 2< 4 19904 3< 4 19456"},
    {{2, 2, 33, 100, 70, 16},
     "0>1 2 5168 0>2 2 15808 1>0 2 4352 1>3 2 14592 2>0 2 13312 2>3 2 4864 3>1 2 12288 3>2 2 4096"},
    {{2, 2, 100, 32, 70, 16}, "0< 4 17408 1< 4 19904 2< 4 17152 3< 4 19456"},
    {{2, 2, 100, 33, 70, 16},
     "0>1 2 15808 0>2 2 5168 1>0 2 13312 1>3 2 4864 2>0 2 4352 2>3 2 14592 3>1 2 4096 3>2 2 12288"},
    {{2, 2, 70, 100, 32, 16}, "0< 2 11520 1< 2 11008 2< 2 10752 3< 2 10240"},
    {{2, 2, 70, 100, 33, 16},
     "0>1 1 5168 0>2 1 7072 1>0 2 4864 1>3 1 6528 2>0 2 6656 2>3 1 4352 3>1 2 6144 3>2 2 4096"},
    {{2, 2, 100, 100, 60, 64}, "0>1 1 30720 0>2 1 30720 1>3 1 17280 2>3 1 17280"},
    {{3, 2, 150, 150, 90, 100}, "0>1 1 72000 0>2 1 72000 1>3 1 36000 2>3 1 36000 2>4 1 72000 3>5 1 36000"},
    {{3, 2, 64, 20, 300, 64}, "0>1 1 10240 2>0 1 7040 2>1 1 10240 4>0 1 10240 1+ 1 10240"},
    {{3, 2, 65, 20, 300, 64},
     "0>1 1 10240 2>0 1 7040 2>1 1 10240 4>0 1 10240 1+ 1 10240 2< 1 27520 3< 1 20480 3+ 1 160 4< 1 27520 "
     "5< 1 20480"},
    {{2, 3, 20, 64, 300, 64}, "0>3 1 10240 1>0 1 7040 1>3 1 10240 2>0 1 10240 3+ 1 10240"},
    {{2, 3, 20, 65, 300, 64},
     "0>3 1 10240 1>0 1 7040 1>3 1 10240 2>0 1 10240 1< 1 27520 2< 1 27520 3+ 1 10240 4< 1 20480 4+ 1 160 "
     "5< 1 20480"},
    {{2, 3, 128, 20, 64, 64}, "3< 1 10240"},
    {{2, 3, 128, 20, 65, 64}, "3>1 1 160 1+ 1 10240 2+ 1 10240 3< 1 10240 4< 1 160 4+ 1 10240 5+ 1 10240"},
};

static const struct {
    struct shape shape;
    int rank;
    const char *sends; /* its own messages, in order: receiver:bytes */
} ordered[] = {
    {{2, 3, 200, 200, 200, 20},
     0,
     "1:25600 3:20480 1:6400 3:5120 1:19200 1:12800 3:10240 3:2560 1:16000 3:12800 1:16000 3:12800 1:9600"
     " 1:6400"},
    {{2, 4, 40, 200, 150, 10}, 1, "2:5120 5:12800 2:1280 5:3200 2:3840 2:2560 5:6400 5:9600 2:1280 2:3520"},
    {{2, 4, 40, 200, 150, 10}, 5, "6:5120 6:1280 6:3840 1:9600 6:2560 1:6400 6:1280 1:3200 6:3520 1:8800"},
    {{3, 2, 300, 20, 300, 4}, 1, "0:3328"},
    {{3, 2, 300, 20, 300, 4}, 4, "0:4992 1:4608"},
    {{2, 3, 40, 300, 300, 8}, 3, "4:28416 0:7168 4:18944"},
    {{2, 3, 40, 300, 300, 8}, 4, "5:28416 3:6656 0:6144 5:18944"},
    {{3, 4, 300, 35, 300, 8}, 2, "6:6336 6:4608 0:2048 3:1536 1:1536 6:4608 6:4608"},
    {{3, 4, 300, 35, 300, 8}, 6, "10:6336 10:4608 1:1792 0:1536 3:1536 2:1536 10:4608 10:4608"},
};

static void start_library(struct program *program, const struct shape *shape, int broadcast)
{
    row = (struct row){shape->p,     shape->q, shape->m,  shape->n,           shape->k,
                       shape->block, LIBRARY,  broadcast, shape->p * shape->q};
    start(program);
}

/* Take what the text says off what has been found; nothing must be left. */
static void compare_traffic(const char *text)
{
    int64_t count, length;
    int from, to, read;
    char kind;
    while (sscanf(text, "%d%c%n", &from, &kind, &read) == 2) {
        text += read;
        if (kind == '>') {
            CU_ASSERT_EQUAL_FATAL(sscanf(text, "%d %" SCNd64 " %" SCNd64 "%n", &to, &count, &length, &read), 3);
            messages[from][to] -= count;
            bytes[from][to] -= length;
        } else {
            CU_ASSERT_EQUAL_FATAL(sscanf(text, "%" SCNd64 " %" SCNd64 "%n", &count, &length, &read), 2);
            *(kind == '<' ? &ranks[from].broadcasts_got : &ranks[from].sums_given) -= count;
            *(kind == '<' ? &ranks[from].broadcast_bytes : &ranks[from].sum_bytes) -= length;
        }
        text += read;
    }
    for (from = 0; from < row.n_ranks; from++) {
        expect("MPI broadcasts, beyond those counted", from, ranks[from].broadcasts_got, 0);
        expect("bytes of them", from, ranks[from].broadcast_bytes, 0);
        expect("MPI sums, beyond those counted", from, ranks[from].sums_given, 0);
        expect("bytes of them", from, ranks[from].sum_bytes, 0);
        for (to = 0; to < row.n_ranks; to++) {
            expect("messages, beyond those counted", from, messages[from][to], 0);
            expect("bytes, beyond those counted", from, bytes[from][to], 0);
        }
    }
}

static void test_counted(void)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct program program;
        start_library(&program, &counted[i].shape, AUTO);
        interpret(&program);
        compare_traffic(counted[i].traffic);
        program_dispose(&program);
    }
    CU_PASS("all counts have been compared");
}

static void test_order(void)
{
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++) {
        struct program program;
        struct op_list list = {.count = 0};
        const char *text = ordered[i].sends;
        int64_t length;
        int to, read;
        start_library(&program, &ordered[i].shape, AUTO);
        for (int64_t step = 0; program.app->emit(program.config, ordered[i].rank, step, &list); step++, list.count = 0)
            for (int o = 0; o < list.count; o++) {
                const struct op *op = &list.ops[o];
                if ((op->kind != OP_SEND && op->kind != OP_ISEND) || op->tag != TAG_OWN)
                    continue;
                CU_ASSERT_EQUAL_FATAL(sscanf(text, "%d:%" SCNd64 "%n", &to, &length, &read), 2);
                expect("the receiver", ordered[i].rank, op->peer, to);
                expect("the length", ordered[i].rank, op->bytes, length);
                text += read;
            }
        expect("all are sent", ordered[i].rank, (int64_t)strlen(text), 0);
        program_dispose(&program);
    }
    CU_PASS("all orders have been compared");
}

/* --- any shape --- */

/* In form AB nothing is added, and who has a part of C gets all that it lacks of A and B for it. In the others the
 * owner of an element of C adds to it once, and who takes in a message of a sum adds what it holds. */
static void check_work(void)
{
    int64_t multiplied = 0, added = 0;
    for (int r = 0; r < row.n_ranks; r++) {
        multiplied += ranks[r].multiplied;
        added += ranks[r].added;
    }
    expect("multiplications of all", -1, multiplied, (int64_t)row.m * row.n * row.k);
    for (int r = 0; r < row.n_ranks; r++) {
        int i = r / row.q, j = r % row.q;
        int64_t m = local_count(row.m, i, row.p), n = local_count(row.n, j, row.q);
        bool wants_a = row.n > row.block || j == 0, wants_b = row.m > row.block || i == 0;
        expect("additions", r, ranks[r].added, added > 0 ? ranks[r].sums_taken / 8 + m * n : 0);
        if (added > 0)
            continue;
        expect("multiplications", r, ranks[r].multiplied, m * n * row.k);
        expect("bytes of A that it receives", r, ranks[r].got[SCOPE_A],
               wants_a ? 8 * m * (row.k - local_count(row.k, j, row.q)) : 0);
        expect("bytes of B that it receives", r, ranks[r].got[SCOPE_B],
               wants_b ? 8 * n * (row.k - local_count(row.k, i, row.p)) : 0);
    }
}

/* Whoever passes a sum on has taken in its part of it before: rank 2 of four sends what it and rank 3 have. */
static void test_sum(void)
{
    static const struct op expected[] = {
        {.kind = OP_RECV, .peer = 3}, {.kind = OP_COMPUTE, .peer = -1}, {.kind = OP_SEND}};
    const struct shape shape = {1, 4, 99, 12, 216, 4};
    struct program program;
    struct op_list list = {.count = 0};
    size_t i = 0;
    start_library(&program, &shape, AUTO);
    for (int64_t step = 0; i < 3 && program.app->emit(program.config, 2, step, &list); step++, list.count = 0)
        for (int o = 0; i < 3 && o < list.count; o++)
            if (list.ops[o].scope == SCOPE_ACCUMULATION) {
                expect("the kind", 2, list.ops[o].kind, expected[i].kind);
                expect("the peer", 2, list.ops[o].peer, expected[i++].peer);
            }
    CU_ASSERT_EQUAL(i, 3);
    program_dispose(&program);
}

/* --- random shapes --- */

static int below(int n)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((state >> 33) % (uint64_t)n);
}

/* A side: short, about as long as the library's panel, or long. */
static int random_extent(void)
{
    int kind = below(3);
    return 1 + below(kind == 0 ? 12 : kind == 1 ? 70 : 500);
}

static void start_random(struct program *program)
{
    const int m = random_extent(), n = random_extent(), k = random_extent(), p = 1 + below(6), q = 1 + below(6);
    const struct shape shape = {p, q, m, n, k, 1 + below(below(2) ? 8 : 80)};
    start_library(program, &shape, below(3) ? AUTO : below(N_TOPOLOGIES));
}

static void test_random(void)
{
    for (int i = 0; i < 600; i++) {
        struct program program;
        start_random(&program);
        interpret(&program);
        check_work();
        program_dispose(&program);
    }
    static const struct shape extreme[] = {{1, 40, 700, 3, 900, 2}, {40, 1, 3, 700, 900, 2},  {1, 40, 3, 700, 900, 2},
                                           {40, 1, 700, 3, 900, 2}, {7, 5, 600, 10, 800, 10}, {5, 7, 10, 600, 800, 10},
                                           {1, 37, 9, 5, 800, 7},   {37, 1, 5, 9, 800, 7}};
    for (size_t i = 0; i < sizeof extreme / sizeof *extreme; i++) {
        struct program program;
        start_library(&program, &extreme[i], AUTO);
        interpret(&program);
        check_work();
        program_dispose(&program);
    }
    CU_PASS("all shapes have been run");
}

/* --- the kernel --- */

/* The machine as it is, one that is busy with a message until it has arrived, and one on which every send is a
 * rendezvous with its receive. */
static void test_kernel(void)
{
    static const struct {
        bool buffers_sends;
        int64_t eager_limit;
    } ways[] = {{true, 65536}, {false, INT64_MAX}, {true, 0}};
    static const char *const networks[] = {"quiet", "fifo"};
    struct machine machine;
    struct sim_error error = {.message = ""};
    CU_ASSERT_EQUAL_FATAL(machine_load(&machine, SOURCE_DIR "/platforms/icluster.xml", &error), 0);
    for (int i = 0; i < 300; i++) {
        struct program program;
        start_random(&program);
        const struct placement placement = {.n_ranks = row.n_ranks, .ranks_per_host = 1, .n_slots = row.n_ranks};
        machine.costs.buffers_sends = ways[i % 3].buffers_sends;
        machine.costs.eager_limit = ways[i % 3].eager_limit;
        const struct kernel_run run = {.program = &program,
                                       .machine = &machine,
                                       .placement = &placement,
                                       .network = network_named(networks[i % 2])};
        struct kernel_stats stats;
        if (!expect("the kernel's status", -1, simulate_run(&stats, &run, &error), 0))
            fprintf(stderr, "\n  %s", error.message);
        program_dispose(&program);
    }
    CU_PASS("all shapes have been simulated");
    machine_dispose(&machine);
}

int main(void)
{
    static const struct test tests[] = {
        {"counted messages", test_counted}, {"their order", test_order}, {"a sum", test_sum},
        {"random shapes", test_random},     {"the kernel", test_kernel}, {NULL, NULL},
    };
    return testing_run("pdgemm, library", tests);
}
