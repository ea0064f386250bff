/* Takes what programs say through eppa.h.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "eppa/archive/archive.h"
#include "eppa/archive/files.h"
#include "eppa/archive/memory.h"
#include "eppa/archive/open.h"
#include "eppa/archive/regions.h"
#include "eppa/eppa.h"
#include "eppa/record/recorder.h"
#include "eppa/record/settings.h"
#include "eppa/record/switch.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((visibility("default"))) extern const struct eppa_calls eppa_calls;

enum { MAX_DEPTH = 256, N_NAMES = SPOOL_MAX_SCOPES, MAX_NAME = 4096 };

/* Scopes by their names, and those that are open. */
static struct name {
    char *text;
    uint32_t role, id;
} names[N_NAMES];
static struct {
    uint32_t id;
    uint16_t role;
} open_scopes[MAX_DEPTH];
static int depth;
static bool has_complained;

static void complain(const char *what, const char *name)
{
    if (!has_complained)
        eppa_say("rank %d: %s%.80s", recorder.rank, what, name);
    has_complained = true;
}

static bool is_wanted(void)
{
    return recorder_wants() && thread_state.is_recorded && thread_state.number == 0;
}

static struct name *find_name(const char *text, uint32_t role)
{
    uint32_t hash = 2166136261u ^ role;
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (uint32_t i = 0; i < N_NAMES; i++) {
        struct name *name = &names[(hash + i) % N_NAMES];
        if (name->text == NULL || (name->role == role && strcmp(name->text, text) == 0))
            return name;
    }
    return NULL;
}

/* The number of a scope, which is described when it is first met; false if there are too many. */
static bool scope_id(const char *text, uint32_t role, uint32_t *id)
{
    struct name *name = strlen(text) < MAX_NAME ? find_name(text, role) : NULL;
    if (name != NULL && name->text == NULL && (name->text = strdup(text)) != NULL) {
        name->role = role;
        name->id = recorder.n_scopes++;
        recorder_define(DEFINE_SCOPE, (struct part[]){{&role, sizeof role}, {text, strlen(text) + 1}}, 2);
    }
    if (name == NULL || name->text == NULL)
        return false;
    *id = name->id;
    return true;
}

void recorder_reopen_scopes(int64_t now_ns)
{
    for (int i = 0; i < depth; i++)
        put(SPOOL_SCOPE_ENTER, open_scopes[i].role, open_scopes[i].id, now_ns, 0, NULL);
}

static void push_wanted(const char *text, enum scope_role role)
{
    uint32_t id;
    int64_t now_ns = clock_now_ns();
    if (role == SCOPE_PLAIN)
        switch_meet_scope(text, now_ns);
    if (depth == MAX_DEPTH || !scope_id(text, role, &id)) {
        complain("too many scopes, too deep, or a name too long; not recorded: ", text);
        return;
    }
    open_scopes[depth].id = id;
    open_scopes[depth++].role = (uint16_t)role;
    recorder_step(now_ns);
    put(SPOOL_SCOPE_ENTER, (uint16_t)role, id, now_ns, 0, NULL);
}

static void push(const char *text, enum scope_role role)
{
    if (!is_wanted())
        return;
    recorder_begin_turn();
    push_wanted(text, role);
    recorder_end_turn();
}

static bool is_open(const char *text, enum scope_role role)
{
    if (depth == 0 || open_scopes[depth - 1].role != role)
        return false;
    const struct name *name = find_name(text, role);
    return name != NULL && name->text != NULL && name->id == open_scopes[depth - 1].id;
}

static void pop(int n_words, const int64_t *words)
{
    recorder_begin_turn();
    int64_t now_ns = clock_now_ns();
    recorder_step(now_ns);
    depth--;
    put(SPOOL_SCOPE_LEAVE, open_scopes[depth].role, open_scopes[depth].id, now_ns, n_words, words);
    recorder_end_turn();
}

static void enter(const char *scope)
{
    push(scope, SCOPE_PLAIN);
}

static void leave(const char *scope)
{
    if (!is_wanted())
        return;
    if (is_open(scope, SCOPE_PLAIN))
        pop(0, NULL);
    else
        complain("left, but not the innermost scope that is open: ", scope);
}

static void begin(int role)
{
    if (role != EPPA_USEFUL && role != EPPA_CONTROL)
        complain("a phase is useful or control", "");
    else if (depth > 0 && open_scopes[depth - 1].role != SCOPE_PLAIN)
        complain("a phase within a phase", "");
    else
        push(role == EPPA_USEFUL ? "useful" : "control", role == EPPA_USEFUL ? SCOPE_USEFUL : SCOPE_CONTROL);
}

static void end(uint64_t operations, uint64_t quantums)
{
    if (!is_wanted())
        return;
    if (depth > 0 && open_scopes[depth - 1].role != SCOPE_PLAIN)
        pop(2, (int64_t[]){(int64_t)operations, (int64_t)quantums});
    else
        complain("the end of a phase that has not begun", "");
}

static void message(uint64_t quantums)
{
    if (!is_wanted() || quantums == 0)
        return;
    if (depth > 0 && open_scopes[depth - 1].role != SCOPE_PLAIN) {
        complain("quantums of messages within a phase", "");
        return;
    }
    int before = depth;
    push("messages", SCOPE_MESSAGES);
    if (depth > before)
        pop(2, (int64_t[]){0, (int64_t)quantums});
}

static void parameter(const char *name, const char *value)
{
    if (!is_wanted())
        return;
    if (!plan_is_parameter(name) || value[0] == '\0' || strlen(value) > SPOOL_MAX_VALUE)
        complain("parameters have a value of up to 64 KiB, and a name of letters, digits and underscores: ", name);
    else {
        recorder_begin_turn();
        recorder_define(DEFINE_PARAMETER, (struct part[]){{name, strlen(name) + 1}, {value, strlen(value) + 1}}, 2);
        recorder_end_turn();
    }
}

/* The program's locale may have another decimal point; traces have none of it. */
static void format_number(char *text, size_t size, double value)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), former = uselocale(c);
    int digits = 14;
    do { /* the shortest that is the same number */
        snprintf(text, size, "%.*g", ++digits, value);
    } while (digits < 17 && strtod(text, NULL) != value);
    uselocale(former);
    if (c != (locale_t)0)
        freelocale(c);
}

static void parameter_number(const char *name, double value)
{
    char text[32];
    format_number(text, sizeof text, value);
    parameter(name, text);
}

static void define_world(int n_ranks)
{
    struct define_comm head = {0, 0, n_ranks, 0};
    int32_t *members = memory_need(malloc((size_t)n_ranks * sizeof *members));
    for (int32_t i = 0; i < n_ranks; i++)
        members[i] = i;
    recorder_define(DEFINE_COMM, (struct part[]){{&head, sizeof head}, {members, (size_t)n_ranks * sizeof *members}},
                    2);
    free(members);
}

/* Processes come one by one. A process that finds the spool unlocked, with records of its own rank, is the first of a
 * new run: what is there is of one that did not end. */
static int make_spool(const char *base, int rank)
{
    char directory[SPOOL_MAX_PATH - 32], path[SPOOL_MAX_PATH], message[SPOOL_MAX_PATH + 256] = "";
    snprintf(directory, sizeof directory, "%s.eppa", base);
    snprintf(path, sizeof path, "%s/%d.events", directory, rank);
    if (access(path, F_OK) == 0)
        return recorder_make_spool(base);
    if (archive_check_destination(base, message, sizeof message) == 0 &&
        spool_check_destination(directory, message, sizeof message) == 0 && mkdir(directory, 0777) != 0 &&
        errno != EEXIST)
        snprintf(message, sizeof message, "cannot make %s: %s", directory, strerror(errno));
    if (message[0] != '\0' && rank == 0)
        eppa_say("%s; nothing is recorded", message);
    return message[0] == '\0' ? 0 : -1;
}

/* This process could not open its files. The last process to fail removes the spool. */
static void leave_spool(void)
{
    static const char *const extensions[] = {"events", "defs"};
    char name[32];
    int folder = open_folder(AT_FDCWD, recorder.directory);
    if (folder < 0)
        return;
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%d.%s", recorder.rank, extensions[i]);
        unlinkat(folder, name, 0);
    }
    if (recorder.lock > 0 && flock(recorder.lock, LOCK_EX | LOCK_NB) == 0 && !spool_has_events(folder))
        recorder_remove_spool();
    close(folder);
}

/* Only MPI can bring the ranks' profiles together. */
static int choose_trace(char base[SPOOL_MAX_PATH - 64], bool speaks)
{
    if (recorder_choose_file(base, speaks) != 0)
        return -1;
    if (recorder.outcome == OUTCOME_TRACE)
        return 0;
    if (speaks)
        eppa_say("EPPA_FILE: only programs that use MPI have a profile; use a trace; nothing is recorded");
    recorder.outcome = OUTCOME_TRACE;
    return -1;
}

static int init(int rank, int n_ranks)
{
    char base[SPOOL_MAX_PATH - 64];
    if (rank == 0 && !recorder.on)
        settings_say_unknown();
    if (recorder.on || rank < 0 || rank >= n_ranks || !recorder_takes(rank, n_ranks) ||
        choose_trace(base, rank == 0) != 0 || make_spool(base, rank) != 0)
        return -1;
    if (recorder_open(base, rank, n_ranks) != 0) {
        leave_spool();
        return -1;
    }
    define_world(n_ranks);
    recorder_start(false, false);
    return 0;
}

/* Has every rank finished? This one has. */
static bool is_last(void)
{
    struct stat status;
    char name[32];
    bool is_last = true;
    int folder = open_folder(AT_FDCWD, recorder.directory);
    close(open_of_rank(folder, recorder.rank, "done", O_CREAT | O_WRONLY));
    for (int rank = 0; rank < recorder.n_ranks && is_last; rank++) {
        snprintf(name, sizeof name, "%d.done", rank);
        is_last = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    }
    close(folder);
    return is_last;
}

static void finalize(void)
{
    char message[SPOOL_MAX_PATH + 256] = "";
    if (!is_wanted())
        return;
    recorder_stop(true, clock_now_ns());
    recorder_close();
    if (is_last() && archive_recover(recorder.directory, NULL, message, sizeof message) != 0)
        eppa_say("%s", message);
    close(recorder.lock);
    recorder.lock = 0;
}

static void send_begin(int peer, int tag, uint64_t bytes)
{
    if (!is_wanted())
        return;
    int64_t now_ns = clock_now_ns(),
            words[2] = {(int64_t)((uint64_t)(uint32_t)peer | (uint64_t)(uint32_t)tag << 32), (int64_t)bytes};
    if (!recorder.is_used[REGION_MESSAGE_SEND])
        recorder_use(REGION_MESSAGE_SEND);
    put(SPOOL_ENTER, REGION_MESSAGE_SEND, 0, now_ns, 0, NULL);
    if (peer >= 0 && peer < recorder.n_ranks)
        put(SPOOL_SEND, 0, 0, now_ns, 2, words);
}

static void send_end(void)
{
    if (is_wanted())
        put(SPOOL_LEAVE, REGION_MESSAGE_SEND, 0, clock_now_ns(), 0, NULL);
}

static void receive_begin(void)
{
    if (!is_wanted())
        return;
    if (!recorder.is_used[REGION_MESSAGE_RECEIVE])
        recorder_use(REGION_MESSAGE_RECEIVE);
    put(SPOOL_ENTER, REGION_MESSAGE_RECEIVE, 0, clock_now_ns(), 0, NULL);
}

static void receive_end(int peer, int tag, uint64_t bytes)
{
    if (!is_wanted())
        return;
    int64_t now_ns = clock_now_ns(),
            words[2] = {(int64_t)((uint64_t)(uint32_t)peer | (uint64_t)(uint32_t)tag << 32), (int64_t)bytes};
    if (peer >= 0 && peer < recorder.n_ranks)
        put(SPOOL_RECV, 0, 0, now_ns, 2, words);
    put(SPOOL_LEAVE, REGION_MESSAGE_RECEIVE, 0, now_ns, 0, NULL);
}

static void wait_begin(void)
{
    push("wait", SCOPE_IDLE);
}

static void wait_end(void)
{
    if (is_wanted() && is_open("wait", SCOPE_IDLE))
        pop(0, NULL);
}

const struct eppa_calls eppa_calls = {
    .enter = enter,
    .leave = leave,
    .begin = begin,
    .end = end,
    .parameter = parameter,
    .parameter_number = parameter_number,
    .init = init,
    .finalize = finalize,
    .send_begin = send_begin,
    .send_end = send_end,
    .receive_begin = receive_begin,
    .receive_end = receive_end,
    .wait_begin = wait_begin,
    .wait_end = wait_end,
    .message = message,
};
