/* The critical path by hand: what an interval adds, what an end that followed another rank takes over, and what a
 * departure keeps. Rows have three numbers: communication, anything else, and how often something was added. */
#include "metrics/critical_path.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>

enum { COMMUNICATION, ELSE, N_PARTS, ADDED = N_PARTS, N_NUMBERS };

static void add_interval(void *self, int64_t *row, const struct event *event, int64_t length_ps)
{
    (void)self;
    row[event->kind == EVENT_COMMUNICATE ? COMMUNICATION : ELSE] += length_ps;
    row[ADDED]++;
}

struct expected {
    int64_t communication, other, added;
};

static void expect(const int64_t *row, struct expected expected)
{
    CU_ASSERT_EQUAL(row[COMMUNICATION], expected.communication);
    CU_ASSERT_EQUAL(row[ELSE], expected.other);
    CU_ASSERT_EQUAL(row[ADDED], expected.added);
}

/* What the rank's row is after the event. */
struct step {
    struct event event;
    struct expected row;
};

static void play(struct critical_path *path, const struct step *steps, size_t n_steps)
{
    for (size_t i = 0; i < n_steps; i++) {
        critical_path_take(path, &steps[i].event, add_interval, NULL);
        expect(critical_path_row(path, steps[i].event.location), steps[i].row);
    }
}

#define PLAY(path, steps) play((path), (steps), sizeof(steps) / sizeof *(steps))
#define WORK .kind = EVENT_COMPUTE, .state = STATE_USEFUL
#define SEND .kind = EVENT_COMMUNICATE, .state = STATE_SEND
#define RECEIVE .kind = EVENT_COMMUNICATE, .state = STATE_RECEIVE
#define IDLE .kind = EVENT_COMMUNICATE, .state = STATE_IDLE

/* Idle time, no time and controllers add nothing. */
static void test_own(void)
{
    static const struct step steps[] = {
        {{WORK, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .start_ps = 10, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .start_ps = 10, .end_ps = 14}, {4, 10, 2}},
        {{IDLE, .start_ps = 14, .end_ps = 99}, {4, 10, 2}},
    };
    struct critical_path path;
    critical_path_init(&path, 2, N_PARTS, N_NUMBERS - N_PARTS);
    PLAY(&path, steps);
    const struct event of_controller = {WORK, .location = 2, .end_ps = 500, .is_checkpoint = 1};
    critical_path_take(&path, &of_controller, add_interval, NULL);
    expect(critical_path_row(&path, 1), (struct expected){0, 0, 0});
    CU_ASSERT_EQUAL(path.n_checkpoints, 0);
    critical_path_dispose(&path);
}

/* Rank 1 waits for rank 0: its own past has had slack. */
static void test_peer(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 1, .end_ps = 3}, {0, 3, 1}},
        {{WORK, .location = 0, .end_ps = 20}, {0, 20, 1}},
        {{IDLE, .location = 1, .start_ps = 3, .end_ps = 20}, {0, 3, 1}},
        {{RECEIVE, .location = 1, .peer = 0, .cause = CAUSE_PEER, .origin_ps = 20, .start_ps = 20, .end_ps = 27},
         {7, 20, 2}},
        /* an idle interval that has followed somebody counts */
        {{IDLE, .location = 0, .peer = 1, .cause = CAUSE_PEER, .origin_ps = 27, .start_ps = 20, .end_ps = 30},
         {10, 20, 3}},
    };
    struct critical_path path;
    critical_path_init(&path, 2, N_PARTS, N_NUMBERS - N_PARTS);
    PLAY(&path, steps);
    critical_path_dispose(&path);
}

/* A departure is as of the interval's end, whatever the interval is; what its rank does later is not in it. */
static void test_departures(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 0, .end_ps = 20}, {0, 20, 1}},
        {{SEND, .location = 0, .start_ps = 20, .end_ps = 25, .is_checkpoint = 1, .message = 1000}, {5, 20, 2}},
        {{WORK, .location = 0, .start_ps = 25, .end_ps = 90}, {5, 85, 3}},
        {{RECEIVE, .location = 1, .cause = CAUSE_CHECKPOINT, .message = 1000, .origin_ps = 25, .start_ps = 0,
          .end_ps = 31, .is_checkpoint = 1},
         {11, 20, 3}},
        {{WORK, .location = 1, .start_ps = 31, .end_ps = 32}, {11, 21, 4}},
        {{IDLE, .location = 2, .end_ps = 12, .is_checkpoint = 1, .message = 7}, {0, 0, 0}},
        {{RECEIVE, .location = 2, .cause = CAUSE_CHECKPOINT, .message = 1000, .origin_ps = 31, .start_ps = 12,
          .end_ps = 40},
         {20, 20, 4}},
    };
    struct critical_path path;
    critical_path_init(&path, 3, N_PARTS, N_NUMBERS - N_PARTS);
    PLAY(&path, steps);
    expect(critical_path_checkpoint(&path, 7), (struct expected){0, 0, 0});
    expect(critical_path_checkpoint(&path, 1000), (struct expected){11, 20, 3});
    critical_path_dispose(&path);
}

/* The longest of the sums of parts, of equal ones the first; what is behind the parts does not count. */
static void test_longest(void)
{
    static const struct step steps[] = {
        {{WORK, .location = 0, .end_ps = 9}, {0, 9, 1}},
        {{WORK, .location = 1, .end_ps = 10}, {0, 10, 1}},
        {{SEND, .location = 2, .end_ps = 10}, {10, 0, 1}},
        {{WORK, .location = 3, .end_ps = 4}, {0, 4, 1}},
        {{WORK, .location = 3, .start_ps = 4, .end_ps = 8}, {0, 8, 2}},
        {{WORK, .location = 3, .start_ps = 8, .end_ps = 10}, {0, 10, 3}},
    };
    struct critical_path path;
    critical_path_init(&path, 4, N_PARTS, N_NUMBERS - N_PARTS);
    CU_ASSERT_PTR_EQUAL(critical_path_longest(&path), critical_path_row(&path, 0));
    PLAY(&path, steps);
    CU_ASSERT_PTR_EQUAL(critical_path_longest(&path), critical_path_row(&path, 1));
    CU_ASSERT_EQUAL(critical_path_length(&path, critical_path_row(&path, 3)), 10);
    critical_path_dispose(&path);
}

int main(void)
{
    static const struct test tests[] = {
        {"on its own", test_own},
        {"waiting for another rank", test_peer},
        {"departures", test_departures},
        {"the longest", test_longest},
        {NULL, NULL},
    };
    return testing_run("critical path", tests);
}
