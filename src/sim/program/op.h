/* Operations: what a rank does, without data and without a clock.
 *
 * A program is a pure function (configuration, rank, step) -> list of ops. The kernel asks again for the same step when
 * a rank that had to wait goes on, so nothing about a rank's future is ever stored.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SIM_PROGRAM_OP_H
#define SIM_PROGRAM_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_kind {
    OP_COMPUTE, /* `times` calls or iterations of `kernel`, each with the dimensions m, n, k */
    OP_SEND,    /* `bytes` to rank `peer` under `tag` */
    OP_RECV,    /* `bytes` from rank `peer` under `tag`; -1: from whom the first such message comes */
    OP_ISEND,   /* like OP_SEND, but the rank goes on at once */
    OP_IRECV,   /* like OP_RECV, but the rank goes on at once */
    OP_WAIT,    /* wait until the rank's OP_ISEND or OP_IRECV with the same `request` is complete; 0: until all are, in
                 * a collective all of it, whose OP_ISENDs have a request each. `marked`: those that were marked */
    OP_MARK,    /* that `request` is one of those for which the next OP_WAIT of what is marked waits together */
    OP_PROBE,   /* look whether a message from rank `peer` under `tag` has come, or its RTS; if not, go on behind the
                 * `guarded` ops that follow: see enum probe_mode */
    OP_READ,    /* `bytes` of input */
    OP_WRITE,   /* `bytes` of output */
    OP_LINK_INIT, /* initialize `links` */
    OP_BROADCAST, /* `bytes` from rank `peer` to all, by the program's broadcast algorithm */
    OP_SCATTER,   /* `blocks` of `bytes`, dealt evenly, from rank `peer` to all */
    OP_GATHER,    /* the reverse of OP_SCATTER */
    OP_BARRIER,   /* no rank leaves before all have come */
    OP_REDUCE,    /* a vector of `bytes` of each rank is combined at rank `peer` */
    OP_ALLREDUCE, /* and all get it */
    OP_ALLGATHER, /* every rank gets the `bytes` of each */
    OP_ALLTOALL,  /* every rank has `bytes` for each */
    OP_FLOPS,     /* `flops` floating-point operations at the speed of the rank's host */
    OP_DELAY,     /* `delay_ps` of computation, whatever the host */
    OP_START, /* the strand `line` of the same rank begins, on the rank's processor `processor`, once as many OP_STARTs
               * of the rank as `needed` (0: 1) have named it; the program has emit_strand() */

    OP_JOIN, /* go on once as many OP_STARTs of the rank as `needed` - 1 have named `line`, which begins nothing then */

    /* For programs that share memory (see dsm.h). */
    OP_PAGE_READ,  /* the program reads what lies in shared memory from `address` on: `pieces` (0: one) of `bytes` each,
                    * whose beginnings are `stride` bytes apart */
    OP_PAGE_WRITE, /* and writes it */
    OP_ACQUIRE,    /* `lock`: wait until no other rank holds it */
    OP_RELEASE,    /* let it go */
    OP_FETCH_ADD,  /* add `value` to `counter`; what it was before is what emit_shared() sees from then on. It takes no
                    * time: the program says by pages and a lock how the counter is kept */
    OP_PUSH,       /* push `value` onto the stack whose depth is `counter`. It takes no time either */
    OP_POP,        /* pop what was pushed last; emit_shared() sees that from then on, or -1 if there is nothing */
};

enum op_role {
    ROLE_USEFUL,  /* the sequential program does it too */
    ROLE_CONTROL, /* exists only because the program is parallel */
    /* For OP_DELAY alone, in replays: calls of the library that move no message, and what it reads and writes. */
    ROLE_LIBRARY,
    ROLE_START, /* its beginning or end */
    ROLE_INPUT,
    ROLE_OUTPUT,
    ROLE_SLEEP,  /* no call, but without a processor */
    ROLE_LAUNCH, /* from the launch of what a stream of an accelerator does until it begins */
    ROLE_SEND,   /* what calling a collective takes besides its messages */
};

/* MPI's send modes, as far as they differ here. */
enum send_mode {
    SEND_STANDARD,    /* complete when the machine says: handed over, or come to the destination's node */
    SEND_SYNCHRONOUS, /* RTS, CTS once the receive is posted, then the data: a rendezvous */
};

/* A collective is a blocking call, or has been begun before and is done where it is waited for. */
enum coll_mode {
    COLL_WHOLE,
    COLL_BEGUN,
};

/* The use of what a receive gets. An OP_IRECV makes this use when it is waited for, and its OP_WAIT or OP_MARK may say
 * so, too. */
enum recv_mode {
    RECV_KEEPS,    /* nothing */
    RECV_COMBINES, /* adds it to a vector of the rank's own */
};

/* A program may look for one message several times, and takes it in where it first finds it. The ops that follow a
 * probe, `guarded` of them in the same list, are what is then done, the same after each of these probes. They are
 * done after one of them: what comes after the last probe does not depend on when the message came. */
enum probe_mode {
    PROBE_FIRST, /* for another message than those before */
    PROBE_AGAIN,
    PROBE_LAST, /* if it has not been found, do the ops anyhow: a receive then waits for it */
};

/* `kind` says which member of each union is meant. */
struct op {
    union {
        int64_t times;    /* of OP_COMPUTE */
        int64_t delay_ps; /* of OP_DELAY */
        int64_t links;    /* of OP_LINK_INIT: how many */
        int64_t blocks;   /* of OP_SCATTER, OP_GATHER: how many */
        int64_t offset;   /* of a send within a collective, in bytes: see coll.h */
        int64_t address;  /* of OP_PAGE_READ, OP_PAGE_WRITE */
        int64_t value;    /* of OP_FETCH_ADD, OP_PUSH */
        int64_t guarded;  /* of OP_PROBE: how many ops */
        int64_t line;     /* of OP_START, OP_JOIN: what emit_strand() knows the strand by */
        int64_t from_any; /* of OP_RECV, OP_IRECV of a replay: where the trace has it, if it took a message from any
                             source there, and takes the one of the same source now; else 0 */
    };
    int64_t bytes;
    int32_t peer; /* rank; of a collective, its root */
    union {
        int32_t tag;     /* of messages; of a collective that goes on beside others of its group, a number of its own */
        int32_t lock;    /* of OP_ACQUIRE, OP_RELEASE: its number */
        int32_t counter; /* of OP_FETCH_ADD, OP_PUSH, OP_POP: its number */
        int32_t processor; /* of OP_START: of the rank, from 0 */
    };
    union {
        struct {
            int32_t m, n, k; /* of OP_COMPUTE, for kernels whose cost is a polynomial in them */
        };
        struct {
            int32_t pieces, stride; /* of OP_PAGE_READ, OP_PAGE_WRITE */
        };
        struct {
            uint32_t
                request; /* of OP_ISEND, OP_IRECV, OP_WAIT, OP_MARK: a number of the program's choice; 0: it has none */
            int32_t group; /* of collectives: index into the program's groups; 0: all ranks */
        };
        uint32_t needed; /* of OP_START, OP_JOIN */
        struct {
            double flops;       /* of OP_FLOPS */
            int64_t operations; /* of OP_FLOPS, OP_DELAY: as the programmer counts them; 0: not said */
        };
    };
    int16_t kernel; /* index into the application's kernels */
    uint8_t kind;   /* enum op_kind */
    uint8_t role;   /* enum op_role */
    uint8_t scope;  /* index into the application's scopes */
    uint8_t mode;   /* enum send_mode of sends, recv_mode of receives, OP_WAIT and OP_MARK, probe_mode of probes,
                       coll_mode of collectives */
    union {
        bool exchanges; /* of OP_ISEND: the rank receives before it waits, as in MPI_Sendrecv */
        bool any_tag;   /* of OP_RECV and OP_IRECV: whatever the tag */
        bool marked;    /* of OP_WAIT without a request, outside of collectives: for what OP_MARK has named */
    };
};
_Static_assert(sizeof(struct op) <= 48, "an op is made for every step of every rank");

/* The ops of one step, filled by the program. A step that needs more is several steps, or a collective. */
#define OP_LIST_MAX 16

struct op_list {
    int count;
    bool is_last; /* no step follows; false also where nothing is known of that */
    const char *
        *places; /* OP_LIST_MAX of them: where the program adds each op, "src/apps/ring.c:41"; NULL: not asked for */
    struct op ops[OP_LIST_MAX];
};

/* The op after op i of a list, for those who have no clock: what is guarded comes after the last probe. */
static inline int op_list_after(const struct op_list *list, int i)
{
    const struct op *op = &list->ops[i];
    return i + 1 + (op->kind == OP_PROBE && op->mode != PROBE_LAST ? (int)op->guarded : 0);
}

/* The line of source that this stands in. */
#define OP_TEXT(x) #x
#define OP_LINE(line) __FILE__ ":" OP_TEXT(line)
#define OP_HERE OP_LINE(__LINE__)

/* Append an op of `kind` in `scope`, all else zero, and return it to be filled in. All of these note the line in which
 * they stand; those that end with _at are for functions that are called in their place. */
#define op_list_add(list, kind, scope) op_list_add_at(list, kind, scope, OP_HERE)
struct op *op_list_add_at(struct op_list *list, enum op_kind kind, int scope, const char *at);

/* The same for a message, for `times` of a kernel, and for a call of one with dimensions; nothing where there are no
 * bytes, no times, or a dimension m or n is 0. */
#define op_list_message(list, kind, scope, peer, bytes) op_list_message_at(list, kind, scope, peer, bytes, OP_HERE)
#define op_list_work(list, scope, kernel, times) op_list_work_at(list, scope, kernel, times, OP_HERE)
#define op_list_call(list, scope, kernel, m, n, k) op_list_call_at(list, scope, kernel, m, n, k, OP_HERE)
void op_list_message_at(struct op_list *list, enum op_kind kind, int scope, int peer, int64_t bytes, const char *at);
void op_list_work_at(struct op_list *list, int scope, int kernel, int64_t times, const char *at);
void op_list_call_at(struct op_list *list, int scope, int kernel, int64_t m, int64_t n, int64_t k, const char *at);

#endif
