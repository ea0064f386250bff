/* Calls that describe a traced program to libeppa: computation that is there only because the program is parallel,
 * numbers of operations, names of parts of the program, its parameters; and the messages of a program that uses a
 * library other than MPI.
 *
 * The functions do nothing when the library is not there, so that a program needs to be built only once: include this
 * header and run with LD_PRELOAD=libeppa.so, or link with -leppa, or neither. They are looked up at their first use.
 * Names are copied. Call them between MPI_Init and MPI_Finalize (or eppa_init and eppa_finalize) on the thread that
 * initialized; elsewhere they do nothing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_H
#define EPPA_H

#include <dlfcn.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Roles of a phase of computation. */
enum eppa_role {
    EPPA_USEFUL = 1, /* work that the sequential program does too */
    EPPA_CONTROL = 2 /* work that is there only because the program is parallel: packing, deciding who does what */
};

/* The library's functions; programs use those below. */
struct eppa_calls {
    void (*enter)(const char *scope);
    void (*leave)(const char *scope);
    void (*begin)(int role);
    void (*end)(uint64_t operations, uint64_t quantums);
    void (*parameter)(const char *name, const char *value);
    void (*parameter_number)(const char *name, double value);
    int (*init)(int rank, int n_ranks);
    void (*finalize)(void);
    void (*send_begin)(int peer, int tag, uint64_t bytes);
    void (*send_end)(void);
    void (*receive_begin)(void);
    void (*receive_end)(int peer, int tag, uint64_t bytes);
    void (*wait_begin)(void);
    void (*wait_end)(void);
    void (*message)(uint64_t quantums);
};

static inline const struct eppa_calls *eppa_calls_find(void)
{
    static const struct eppa_calls *calls;
    static int is_known;
    if (!is_known) {
        void *program = dlopen(0, RTLD_LAZY);
        calls = program == 0 ? 0 : (const struct eppa_calls *)dlsym(program, "eppa_calls");
        is_known = 1;
    }
    return calls;
}

/* A part of the program with a name begins and ends. Parts nest; the innermost is left first. */
static inline void eppa_enter(const char *scope)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->enter(scope);
}
static inline void eppa_leave(const char *scope)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->leave(scope);
}

/* A phase of computation begins, and ends with the number of basic operations and of quantums of work done in it (rows,
 * particles ...: the parts in which the work is dealt out); 0 if not counted. Phases do not nest. Time outside of
 * phases counts as useful. simrun says how long phases of so many quantums take; of a phase with calls of MPI in it, it
 * counts what follows the last. */
static inline void eppa_begin(enum eppa_role role)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->begin((int)role);
}
static inline void eppa_end(uint64_t operations, uint64_t quantums)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->end(operations, quantums);
}

/* The messages that the process has sent since the last such call, or is about to send, hold so many quantums more: of
 * the data that are dealt out and collected, in the unit of eppa_end(). Not within a phase. simrun says what each of
 * them costs, and how many are processed for each of them. */
static inline void eppa_message(uint64_t quantums)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->message(quantums);
}

/* A parameter of the run, such as p or W; names are of letters, digits and underscores. Upper and lower case are the
 * same to OTF2. The first value given by the lowest rank counts. There may be 1024 names, with values of up to 64 KiB
 * each; those of more names are left out. */
static inline void eppa_parameter(const char *name, const char *value)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->parameter(name, value);
}
static inline void eppa_parameter_number(const char *name, double value)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->parameter_number(name, value);
}

/* For programs without MPI, whose processes share a file system: this process is `rank`, 0 to n_ranks - 1, of
 * `n_ranks`. Returns 0, or -1 if nothing is recorded: the library is not there, recording is on already, or `rank` or
 * the settings are wrong. The process that finalizes last makes the archive. */
static inline int eppa_init(int rank, int n_ranks)
{
    const struct eppa_calls *calls = eppa_calls_find();
    return calls ? calls->init(rank, n_ranks) : -1;
}
static inline void eppa_finalize(void)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->finalize();
}

/* Call these around code that sends a message to `peer`, that receives one (whose origin is known at its end), or that
 * waits for something else, such as a barrier. `peer` is a rank, 0 to n_ranks - 1; with any other only the time is
 * recorded. Messages between two ranks with the same tag are matched in the order in which they are sent. */
static inline void eppa_send_begin(int peer, int tag, uint64_t bytes)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->send_begin(peer, tag, bytes);
}
static inline void eppa_send_end(void)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->send_end();
}
static inline void eppa_receive_begin(void)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->receive_begin();
}
static inline void eppa_receive_end(int peer, int tag, uint64_t bytes)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->receive_end(peer, tag, bytes);
}
static inline void eppa_wait_begin(void)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->wait_begin();
}
static inline void eppa_wait_end(void)
{
    const struct eppa_calls *calls = eppa_calls_find();
    if (calls)
        calls->wait_end();
}

#ifdef __cplusplus
}
#endif

#endif
