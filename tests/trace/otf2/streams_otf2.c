/* The reader of OTF2: streams of accelerators, when what they do is launched, and where their rank waits for them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "tests/trace/otf2/locations.h"

/* A region from a time to another. */
#define REGION(location, begin, end, region)                                                                           \
    {location, S_ENTER, begin, region},                                                                                \
    {                                                                                                                  \
        location, S_LEAVE, end, region                                                                                 \
    }
#define COPY(location, begin, end, action)                                                                             \
    {location, action, begin},                                                                                         \
    {                                                                                                                  \
        location, S_COPIED, end                                                                                        \
    }

/* Marks: the launch, and the end, of what a stream does at this place, as thread 1 or 2 of its rank. */
#define LAUNCH_0 "5"
#define END_0 "6"
#define LAUNCH_1 "327685"
#define END_1 "327686"
#define LAUNCH_0_OF_2 "10"
#define END_0_OF_2 "11"

/* Two kernels in a row. The device's synchronization has a part that Score-P calls so. */
static void test_kernels(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        REGION(0, 10, 11, LAUNCH),
        REGION(0, 12, 13, LAUNCH),
        {0, S_ENTER, 20, DEVICE_SYNC},
        REGION(0, 21, 59, INNER_SYNC),
        {0, S_LEAVE, 60, DEVICE_SYNC},
        {0, S_END, 70},
        REGION(1, 5, 15, GPU_IDLE),
        REGION(1, 15, 40, KERNEL),
        REGION(1, 40, 58, KERNEL),
        REGION(1, 58, 80, GPU_IDLE),
    };
    CHECK("kernels", ((struct script){SCRIPT(1, events), .n_streams = 1}),
          "compute 0-10\nsignal 10 mark " LAUNCH_0 " of 2\nenter cudaLaunchKernel 10\ncompute 10-11\n"
          "leave cudaLaunchKernel 11\ncompute 11-12\nsignal 12 mark " LAUNCH_1 " of 2\nenter cudaLaunchKernel 12\n"
          "compute 12-13\nleave cudaLaunchKernel 13\ncompute 13-20\nenter cudaDeviceSynchronize 20\n"
          "await 20-58 mark " END_1 " of 2 for 1\ncompute 58-60\nleave cudaDeviceSynchronize 60\ncompute 60-70\n",
          "await 10 mark " LAUNCH_0 " of 2 for 0\nsleep 10-15 sleep 5\nenter kernel 15\ncompute 15-40\n"
          "leave kernel 40\nawait 40 mark " LAUNCH_1 " of 2 for 0\nenter kernel 40\ncompute 40-58\nleave kernel 58\n"
          "signal 58 mark " END_1 " of 2\n");
}

/* Two streams. A kernel and a copy are launched the other way round than they begin; the synchronization is for the
 * stream that ends within it. The blocking copy waits for itself, and the other stream's kernel is not waited for. */
static void test_copies(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        REGION(0, 10, 11, LAUNCH),
        REGION(0, 12, 13, MEMCPY_ASYNC),
        REGION(0, 20, 32, STREAM_SYNC),
        REGION(0, 40, 50, MEMCPY),
        {0, S_END, 60},
        REGION(1, 16, 55, KERNEL),
        COPY(2, 15, 30, S_GET),
        COPY(2, 42, 49, S_PUT),
    };
    CHECK("copies", ((struct script){SCRIPT(1, events), .n_streams = 2}),
          "compute 0-10\nsignal 10 mark " LAUNCH_0 " of 2\nenter cudaLaunchKernel 10\ncompute 10-11\n"
          "leave cudaLaunchKernel 11\ncompute 11-12\nsignal 12 mark " LAUNCH_0_OF_2 " of 2\nenter cudaMemcpyAsync 12\n"
          "compute 12-13\nleave cudaMemcpyAsync 13\ncompute 13-20\nenter hipStreamSynchronize 20\n"
          "await 20-30 mark " END_0_OF_2 " of 2 for 2\ncompute 30-32\nleave hipStreamSynchronize 32\ncompute 32-40\n"
          "signal 40 mark 327690 of 2\nenter cudaMemcpy 40\nawait 40-49 mark 327691 of 2 for 2\ncompute 49-50\n"
          "leave cudaMemcpy 50\ncompute 50-60\n",
          "await 10 mark " LAUNCH_0
          " of 2 for 0\nsleep 10-16 sleep 5\nenter kernel 16\ncompute 16-55\nleave kernel 55\n",
          "await 12 mark " LAUNCH_0_OF_2 " of 2 for 0\nsleep 12-15 sleep 5\ncall 15-30 receive bytes 8\n"
          "signal 30 mark " END_0_OF_2 " of 2\nawait 30-40 mark 327690 of 2 for 0\nsleep 40-42 sleep 5\n"
          "call 42-49 send bytes 8\nsignal 49 mark 327691 of 2\n");
}

/* No call tells of the first kernel: it begins where the rank is then, before the message. A launch that has left no
 * kernel is forgotten when the rank has waited for all. */
static void test_unknown(void)
{
    static const struct script_event events[] = {
        {0, S_BEGIN, 0},
        RECEIVES(0, 10, 20, 1, 7),
        {0, S_ENTER, 30, LAUNCH},
        {0, S_LEAVE, 31, LAUNCH},
        REGION(0, 32, 33, DEVICE_SYNC),
        REGION(0, 40, 41, LAUNCH),
        {0, S_END, 50},
        {1, S_BEGIN, 0},
        SENDS(1, 10, 20, 0, 7),
        REGION(2, 15, 18, KERNEL),
        REGION(2, 45, 48, KERNEL),
    };
    CHECK("unknown", ((struct script){SCRIPT(2, events), .n_streams = 1}),
          "compute 0-10\nsignal 10 mark " LAUNCH_0 " of 2\nrecv 10-20 peer 1 tag 7 bytes 8 group 0\ncompute 20-30\n"
          "enter cudaLaunchKernel 30\ncompute 30-31\nleave cudaLaunchKernel 31\ncompute 31-32\n"
          "enter cudaDeviceSynchronize 32\nawait 32 mark " END_0 " of 2 for 1\ncompute 32-33\n"
          "leave cudaDeviceSynchronize 33\ncompute 33-40\nsignal 40 mark " LAUNCH_1 " of 2\nenter cudaLaunchKernel 40\n"
          "compute 40-41\nleave cudaLaunchKernel 41\ncompute 41-50\n",
          "compute 0-10\nsend 10-20 peer 0 tag 7 bytes 8 group 0\n",
          "await 15 mark " LAUNCH_0 " of 2 for 0\nenter kernel 15\ncompute 15-18\nleave kernel 18\n"
          "signal 18 mark " END_0 " of 2\nawait 18-40 mark " LAUNCH_1 " of 2 for 0\nsleep 40-45 sleep 5\n"
          "enter kernel 45\ncompute 45-48\nleave kernel 48\n",
          "");
}

/* ---- Archives for tests/cli/trace/streams.sh, in ms ---- */

/* Rank 0 launches a kernel when it has the message of rank 1, which it sends at 20; the kernel begins 5 later. Rank 0
 * waits for its end, and answers. */
static const struct script_event answer[] = {
    {0, S_BEGIN, 0},
    RECEIVES(0, 10 MS, 20 MS, 1, 7),
    REGION(0, 20 MS, 21 MS, LAUNCH),
    REGION(0, 30 MS, 70 MS, DEVICE_SYNC),
    SENDS(0, 70 MS, 70 MS, 1, 8),
    {0, S_END, 80 MS},
    {1, S_BEGIN, 0},
    SENDS(1, 20 MS, 20 MS, 0, 7),
    RECEIVES(1, 20 MS, 70 MS, 0, 8),
    {1, S_END, 80 MS},
    REGION(2, 25 MS, 70 MS, KERNEL),
};

/* The kernel runs while rank 0 waits for the message, which rank 1 sends at 30. */
static const struct script_event meanwhile[] = {
    {0, S_BEGIN, 0},
    REGION(0, 0, 0, LAUNCH),
    RECEIVES(0, 0, 30 MS, 1, 7),
    REGION(0, 40 MS, 50 MS, STREAM_SYNC),
    {0, S_END, 60 MS},
    {1, S_BEGIN, 0},
    SENDS(1, 30 MS, 30 MS, 0, 7),
    {1, S_END, 30 MS},
    REGION(2, 0, 50 MS, KERNEL),
};

/* Rank 0 copies 2 MB to the device in 10 ms, launches two kernels of 5 and 15 ms, waits for them from 20 to 40, and
 * copies 1 MB back in 20 ms. Another stream has a kernel that nothing waits for. */
static const struct script_event busy[] = {
    {0, S_BEGIN, 0},
    REGION(0, 0, 10 MS, MEMCPY),
    REGION(0, 10 MS, 11 MS, LAUNCH),
    REGION(0, 11 MS, 12 MS, LAUNCH),
    REGION(0, 12 MS, 13 MS, LAUNCH),
    REGION(0, 20 MS, 40 MS, STREAM_SYNC),
    REGION(0, 50 MS, 70 MS, MEMCPY),
    {0, S_END, 80 MS},
    {1, S_GET, 0, .d = 2000000},
    {1, S_COPIED, 10 MS},
    REGION(1, 20 MS, 25 MS, KERNEL),
    REGION(1, 25 MS, 40 MS, KERNEL),
    {1, S_PUT, 50 MS, .d = 1000000},
    {1, S_COPIED, 70 MS},
    REGION(2, 30 MS, 60 MS, KERNEL),
};

static const struct archive archives[] = {
    {"busy", {SCRIPT(1, busy), .n_streams = 2}},
    {"answer", {SCRIPT(2, answer), .n_streams = 1}},
    {"meanwhile", {SCRIPT(2, meanwhile), .n_streams = 1}},
};

int main(void)
{
    int status;
    if (write_archive(&status, archives, COUNT(archives)))
        return status;
    static const struct test tests[] = {
        {"kernels", test_kernels},
        {"copies", test_copies},
        {"launches that are not known", test_unknown},
        {NULL, NULL},
    };
    return testing_run("streams_otf2", tests);
}
