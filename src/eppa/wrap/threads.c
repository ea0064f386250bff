/* The beginnings and ends of threads that call MPI, where several may: pthread_create() and pthread_join().
 *
 * A thread has a number of its own, its life, from when it is created; whether it ever calls MPI shows only later.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/wrap/wrap.h"

#include "base/map.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_function(pthread_t, void **);

/* The function of a thread that begins, and its argument. */
struct birth {
    void *(*start)(void *);
    void *argument;
    uint32_t life;
};

static struct map lives; /* of threads that were not joined */
static uint32_t n_lives;

static void *look_up(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        eppa_say("%s: no such function", name);
        abort();
    }
    return found;
}

/* True if this thread's doings are recorded, which do not count until it has called MPI. A profile has no use for the
 * lives of threads. */
static bool is_wanted(void)
{
    return recorder.on && recorder.outcome == OUTCOME_TRACE && recorder.several && thread_state.is_recorded &&
           !thread_state.is_inside;
}

static void put_life(enum life_event event, uint32_t life)
{
    int64_t now_ns = clock_now_ns();
    recorder_step(now_ns);
    put(SPOOL_LIFE, (uint16_t)event, life, now_ns, 0, NULL);
}

static void end_life(void *data)
{
    (void)data;
    if (!is_wanted())
        return;
    recorder_begin_turn();
    put_life(LIFE_ENDS, thread_state.life);
    recorder_end_turn();
}

static void *live(void *data)
{
    struct birth birth = *(struct birth *)data;
    void *result;
    free(data);
    thread_state.life = birth.life;
    thread_state.born_ns = clock_now_ns();
    pthread_cleanup_push(end_life, NULL);
    result = birth.start(birth.argument);
    pthread_cleanup_pop(1);
    return result;
}

/* A thread that has been joined, or will never be, may have had the same handle. */
static void keep_life(pthread_t thread, uint32_t life)
{
    if (map_reserve(&lives))
        map_add(&lives, map_key_64((uint64_t)thread))->index = life;
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    static create_function *real;
    struct birth *birth = is_wanted() ? malloc(sizeof *birth) : NULL;
    if (real == NULL) {
        void *found = look_up("pthread_create");
        memcpy(&real, &found, sizeof found);
    }
    if (birth == NULL)
        return real(thread, attributes, start, argument);
    recorder_begin_turn();
    uint32_t life = ++n_lives;
    *birth = (struct birth){start, argument, life};
    put_life(LIFE_IS_CREATED, life);
    int status = real(thread, attributes, live, birth);
    if (status == 0)
        keep_life(*thread, life);
    else
        free(birth);
    recorder_end_turn();
    return status;
}

static uint32_t take_life(pthread_t thread)
{
    struct map_entry *entry = map_find(&lives, map_key_64((uint64_t)thread));
    uint32_t life = entry == NULL ? 0 : entry->index;
    if (entry != NULL)
        map_remove(&lives, entry);
    return life;
}

EXPORTED int pthread_join(pthread_t thread, void **result)
{
    static join_function *real;
    if (real == NULL) {
        void *found = look_up("pthread_join");
        memcpy(&real, &found, sizeof found);
    }
    if (!is_wanted())
        return real(thread, result);
    recorder_begin_turn();
    uint32_t life = take_life(thread);
    if (!recorder.is_used[REGION_JOIN])
        recorder_use(REGION_JOIN);
    int64_t now_ns = clock_now_ns();
    recorder_step(now_ns);
    put(SPOOL_ENTER, REGION_JOIN, 0, now_ns, 0, NULL);
    recorder_end_turn();
    int status = real(thread, result);
    recorder_begin_turn();
    now_ns = clock_now_ns();
    if (life != 0)
        put(SPOOL_LIFE, LIFE_IS_AWAITED, life, now_ns, 0, NULL);
    put(SPOOL_LEAVE, REGION_JOIN, 0, now_ns, 0, NULL);
    processor_begin_gap(now_ns);
    recorder_end_turn();
    return status;
}
