/* simrun trace [-n RANKS] [-o FILE] PROGRAM [ARGUMENT]...: runs an MPI program under libeppa, and sees that something
 * was recorded.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/message.h"
#include "os/data.h"
#include "os/file_kind.h"
#include "simrun/command.h"
#include "simrun/trace_output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How each MPI is started. */
struct mpi {
    const char *name, *library; /* libeppa for it */
    const char *runs[2];        /* its mpirun, by the name that it has beside others, then by its own */
    const char *environment;    /* the option that hands a variable to the ranks */
};

static const struct mpi openmpi = {"Open MPI", "libeppa.so", {"mpirun.openmpi", "mpirun"}, "-x"};
static const struct mpi mpich = {"MPICH", "libeppa-mpich.so", {"mpirun.mpich", "mpirun"}, "-env"};

/* The MPI that a program is linked with, by the names in it; Open MPI for scripts and what says nothing. */
static const struct mpi *find_mpi(const char *program)
{
    const struct mpi *mpi = &openmpi;
    struct stat status;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        void *text = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (text != MAP_FAILED && memmem(text, (size_t)status.st_size, "libmpich", strlen("libmpich")) != NULL)
            mpi = &mpich;
        if (text != MAP_FAILED)
            munmap(text, (size_t)status.st_size);
    }
    if (fd >= 0)
        close(fd);
    return mpi;
}

/* True if it can be started: a directory may be "executed", too. */
static bool is_program(const char *file)
{
    struct stat status;
    return stat(file, &status) == 0 && S_ISREG(status.st_mode) && access(file, X_OK) == 0;
}

/* The program as it would be started: with a slash as it stands, else from PATH. To be freed; NULL: it is not there. */
static char *find_program(const char *name)
{
    if (strchr(name, '/') != NULL)
        return is_program(name) ? xstrdup(name) : NULL;
    const char *path = getenv("PATH");
    for (const char *begin = path; begin != NULL && *begin != '\0';) {
        size_t length = strcspn(begin, ":");
        char *file = xformat("%.*s/%s", (int)length, begin, name);
        if (is_program(file))
            return file;
        free(file);
        begin += length + (begin[length] == ':');
    }
    return NULL;
}

/* When the file was written last; 0: there is none. */
static struct timespec written_at(const char *file)
{
    struct stat status;
    return stat(file, &status) == 0 ? status.st_mtim : (struct timespec){0, 0};
}

struct tracing {
    const struct mpi *mpi;
    const char *const *words; /* the program and its arguments */
    int n_words;
    char ranks[16];
    bool paths;           /* are recorded */
    char *library, *file; /* with their folders */
    char *folder;         /* of the link to the library's, or NULL */
};

static void exec_mpirun(const struct tracing *tracing)
{
    const char **arguments = xcalloc((size_t)tracing->n_words + 16, sizeof *arguments);
    const char *preload = xformat("LD_PRELOAD%c%s", tracing->mpi == &openmpi ? '=' : '\0', tracing->library);
    const char *file = xformat("EPPA_FILE%c%s", tracing->mpi == &openmpi ? '=' : '\0', tracing->file);
    int n = 1;
    if (tracing->mpi == &openmpi && geteuid() == 0)
        arguments[n++] = "--allow-run-as-root";
    if (tracing->mpi == &openmpi)
        arguments[n++] = "--oversubscribe";
    arguments[n++] = "-n";
    arguments[n++] = tracing->ranks;
    const char *paths = xformat("EPPA_PATHS%c1", tracing->mpi == &openmpi ? '=' : '\0');
    const char *const settings[] = {preload, file, paths};
    for (int i = 0; i < (tracing->paths ? 3 : 2); i++) {
        const char *setting = settings[i];
        arguments[n++] = tracing->mpi->environment;
        arguments[n++] = setting;
        if (tracing->mpi != &openmpi)
            arguments[n++] = setting + strlen(setting) + 1;
    }
    memcpy(arguments + n, tracing->words, (size_t)tracing->n_words * sizeof *arguments);
    for (int i = 0; i < 2; i++) {
        arguments[0] = tracing->mpi->runs[i];
        execvp(arguments[0], (char *const *)arguments);
    }
    message_print("mpirun of %s cannot be started: %s", tracing->mpi->name, strerror(errno));
    _exit(127);
}

static volatile sig_atomic_t mpirun_id;

/* Pass a signal on to mpirun, which then ends its ranks. */
static void pass_on(int signal_number)
{
    kill((pid_t)mpirun_id, signal_number);
}

/* Run it to its end. Ctrl-C is for mpirun, which ends its ranks; libeppa then writes what there is. */
static int run_program(int *status, const struct tracing *tracing, struct sim_error *error)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "no process to run mpirun: %s", strerror(errno));
    if (child == 0)
        exec_mpirun(tracing);
    mpirun_id = (sig_atomic_t)child;
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*terminate)(int) = signal(SIGTERM, pass_on);
    while (waitpid(child, status, 0) < 0 && errno == EINTR)
        continue;
    signal(SIGINT, interrupt);
    signal(SIGTERM, terminate);
    return 0;
}

/* True if LD_PRELOAD can name the file: it separates files by blanks and colons, and replaces words with $. */
static bool is_nameable(const char *path)
{
    return path[strcspn(path, " :$")] == '\0';
}

/* A link to the folder, lib in a temporary one, which tracing->folder is then. */
static int make_link(struct tracing *tracing, const char *to, struct sim_error *error)
{
    const char *temporary = getenv("TMPDIR");
    bool is_usable = temporary != NULL && temporary[0] == '/' && is_nameable(temporary);
    char *folder = xformat("%s/simrun-XXXXXX", is_usable ? temporary : "/tmp");
    if (mkdtemp(folder) != NULL) {
        tracing->folder = folder;
        char *link = xformat("%s/lib", folder);
        int status = symlink(to, link);
        free(link);
        if (status == 0)
            return 0;
    }
    sim_error_set(
        error, SIM_UNFINISHED, tracing->library, 0,
        "LD_PRELOAD cannot name it, because its path has a blank, a colon or a $, and there can be no link to "
        "it in %.80s: %s",
        is_usable ? temporary : "/tmp", strerror(errno));
    if (tracing->folder == NULL)
        free(folder);
    return -1;
}

/* Let LD_PRELOAD name the library: through a link to its folder, from where it finds eppa-recover, too. */
static int reach_library(struct tracing *tracing, struct sim_error *error)
{
    const char *name = strrchr(tracing->library, '/');
    if (is_nameable(tracing->library) || name == NULL)
        return 0;
    char *real = xformat("%.*s", (int)(name - tracing->library), tracing->library);
    int status = make_link(tracing, real, error);
    free(real);
    if (status != 0)
        return -1;
    char *library = xformat("%s/lib%s", tracing->folder, name);
    free(tracing->library);
    tracing->library = library;
    return 0;
}

static void remove_link(struct tracing *tracing)
{
    if (tracing->folder == NULL)
        return;
    char *link = xformat("%s/lib", tracing->folder);
    unlink(link);
    rmdir(tracing->folder);
    free(link);
    free(tracing->folder);
}

/* "run.eppa" for "run.otf2": where libeppa keeps its records until the archive is made. To be freed. */
static char *records_of(const char *file)
{
    size_t length = strlen(file), tail = strlen(".otf2");
    bool has_extension = length > tail && strcmp(file + length - tail, ".otf2") == 0;
    return xformat("%.*s.eppa", (int)(has_extension ? length - tail : length), file);
}

static bool is_new(const struct tracing *tracing, struct timespec before)
{
    struct timespec after = written_at(tracing->file);
    return after.tv_sec != before.tv_sec || after.tv_nsec != before.tv_nsec;
}

/* If the run was killed, eppa-recover makes the trace a moment later: wait for it while there are records. */
static void wait_for_recovery(const struct tracing *tracing, struct timespec before)
{
    char *records = records_of(tracing->file);
    for (int i = 0; i < 250 && !is_new(tracing, before) && access(records, F_OK) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    free(records);
}

/* The records of a run that was killed with all that watched it are still there. */
static int fail_unrecorded(const struct tracing *tracing, int status, struct sim_error *error)
{
    char *records = records_of(tracing->file);
    bool has_records = access(records, F_OK) == 0;
    if (has_records)
        sim_error_set(error, SIM_UNFINISHED, tracing->file, 0,
                      "not written: %.60s was stopped (status %d); eppa-recover %s makes the trace from its records",
                      tracing->words[0], WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), records);
    else
        sim_error_set(error, SIM_UNFINISHED, tracing->file, 0,
                      "nothing was recorded: %.60s did not reach MPI_Finalize under %s, is statically linked, or uses "
                      "another MPI",
                      tracing->words[0], tracing->mpi->name);
    free(records);
    return -1;
}

static int check_recorded(const struct tracing *tracing, struct timespec before, int status, struct sim_error *error)
{
    wait_for_recovery(tracing, before);
    if (!is_new(tracing, before))
        return fail_unrecorded(tracing, status, error);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "%.60s ended with status %d; what was recorded is in %s",
                             tracing->words[0], WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                             tracing->file);
    return 0;
}

/* A file that is there may lack the permission to be executed, or be of another kind. */
static int fail_program(const char *name, struct sim_error *error)
{
    if (access(name, F_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, name, 0, "there is no such program");
    if (strchr(name, '/') == NULL && is_program(name))
        return sim_error_set(error, SIM_BAD_INPUT, name, 0,
                             "is not in a folder of PATH; write ./%.200s for the program in this folder", name);
    const struct file_kind *kind = file_kind_of(name);
    return sim_error_set(error, SIM_BAD_INPUT, name, 0, "is %s, not a program that can be executed",
                         kind->name[0] != '\0' ? kind->name : "a file");
}

static int trace(struct tracing *tracing, const struct options *options, const char *output, struct sim_error *error)
{
    int status = 0;
    char *program = find_program(options->files[0]);
    if (program == NULL)
        return fail_program(options->files[0], error);
    tracing->mpi = find_mpi(program);
    free(program);
    tracing->library = data_library(tracing->mpi->library);
    if (access(tracing->library, R_OK) != 0)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                             "simrun trace needs %s, which is not there: install the MPI that the program is for (in a "
                             "checkout: tools/install-packages trace), then configure and build again",
                             tracing->mpi->library);
    if (tracing->paths && strcmp(trace_output_extension(output), ".otf2") != 0)
        return sim_error_set(error, SIM_BAD_INPUT, output, 0, "call paths are recorded in traces (.otf2) only");
    if (trace_output_check(output, error) != 0)
        return -1;
    struct timespec before = written_at(tracing->file);
    if (reach_library(tracing, error) != 0)
        return -1;
    if (run_program(&status, tracing, error) != 0 || check_recorded(tracing, before, status, error) != 0)
        return -1;
    const char *extension = trace_output_extension(output);
    bool is_profile = strcmp(extension, ".json") == 0 || strcmp(extension, ".txt") == 0;
    if (!options->quiet)
        message_print(is_profile ? "%s is a profile" : "%s is a trace, which simrun %s explains", output, output);
    return 0;
}

static int run(const struct options *options, struct sim_error *error)
{
    const char *output = options->output != NULL ? options->output : "trace.otf2";
    char *folder = getcwd(NULL, 0);
    struct tracing tracing = {
        .words = (const char *const *)options->files, .n_words = options->n_files, .paths = options->paths};
    snprintf(tracing.ranks, sizeof tracing.ranks, "%d", options->n_ranks);
    tracing.file = output[0] == '/' ? xstrdup(output) : xformat("%s/%s", folder != NULL ? folder : ".", output);
    int status = trace(&tracing, options, output, error);
    remove_link(&tracing);
    free(tracing.library);
    free(tracing.file);
    free(folder);
    return status;
}

const struct command command_trace = {
    .name = "trace",
    .arguments = "PROGRAM [ARGUMENT]...",
    .summary = "run an MPI program, and record what it does",
    .about = "The program is started by the mpirun of the MPI that it is linked with, and\nneed not be rebuilt. The "
             "trace is trace.otf2 unless --output names another file;\nwith .json or .txt, that is a profile.\n",
    .example = "trace -n 4 ./app",
    .options =
        OPTION_BIT(OPTION_RANKS) | OPTION_BIT(OPTION_PATHS) | OPTION_BIT(OPTION_RECORD) | OPTION_BIT(OPTION_QUIET),
    .takes_program = true,
    .least = 1,
    .most = 0,
    .run = run,
};
