/* simrun lab: the laboratory, which the build has made, as a file; with labs of one's own in place of simrun's.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/data.h"
#include "os/output.h"
#include "simrun/command.h"
#include "simrun/lab_book.h"

#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void copy(FILE *to, FILE *from)
{
    char bytes[1 << 16];
    size_t length;
    while ((length = fread(bytes, 1, sizeof bytes, from)) > 0 && fwrite(bytes, 1, length, to) == length)
        ;
}

/* Write these files one after the other, and labs of one's own behind them. */
static int write_files(const struct options *options, char *const *names, int n_names, const struct lab_book *book,
                       struct sim_error *error)
{
    struct output output;
    if (output_open(&output, options->output, error) != 0)
        return -1;
    for (int i = 0; i < n_names; i++) {
        FILE *from = fopen(names[i], "rb");
        if (from != NULL)
            copy(output.stream, from);
        bool is_read = from != NULL && !ferror(from);
        if (from != NULL)
            fclose(from);
        if (is_read)
            continue;
        output_abandon(&output);
        return sim_error_set(error, SIM_UNFINISHED, names[i], 0, "cannot be read: %s", strerror(errno));
    }
    if (book->n_labs > 0)
        lab_book_write(output.stream, book);
    return output_close(&output, error);
}

/* simrun's own labs, for one of which --only asks. */
static int add_own(struct lab_book *book, const char *only, struct sim_error *error)
{
    char *data = data_folder(), *pattern = xformat("%s/labs/%.*s*.md", data, (int)strcspn(only, "."), only);
    glob_t found = {0};
    int status = glob(pattern, 0, NULL, &found) == 0 ? 0 : -1;
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
        status = lab_book_add(book, found.gl_pathv[i], error);
    if (found.gl_pathc == 0)
        sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "--only %s: there is no such lab in %s/labs", only, data);
    globfree(&found);
    free(pattern);
    free(data);
    return status;
}

static int make_book(struct lab_book *book, const struct options *options, struct sim_error *error)
{
    int status = options->n_files == 0 && options->only != NULL ? add_own(book, options->only, error) : 0;
    for (int i = 0; i < options->n_files && status == 0; i++)
        status = lab_book_add(book, options->files[i], error);
    if (status == 0 && options->n_files > 0 && options->solutions)
        status = lab_book_add_sheets(book, error);
    if (status == 0 && options->only != NULL)
        status = lab_book_keep(book, options->only, error);
    return status;
}

static int check_laboratory(const char *file, struct sim_error *error)
{
    if (access(file, R_OK) == 0)
        return 0;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "%s",
                         data_is_build() ? "lab: the laboratory has not been built: cmake --build build/release "
                                           "--target lab (needs npm and clang)"
                                         : "lab: this simrun was installed without its laboratory (SIMRUN_PAGES=OFF)");
}

static int run(const struct options *options, struct sim_error *error)
{
    if (options->output == NULL && isatty(STDOUT_FILENO))
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "lab: is a file for a browser: simrun lab -o lab.html");
    struct lab_book book = {0};
    char *names[] = {data_lab(), data_solutions()};
    int status = make_book(&book, options, error);
    if (status == 0)
        status = check_laboratory(names[0], error);
    if (status == 0)
        status = write_files(options, names, options->solutions && options->n_files == 0 ? 2 : 1, &book, error);
    lab_book_dispose(&book);
    free(names[0]);
    free(names[1]);
    return status;
}

const struct command command_lab = {
    .name = "lab",
    .arguments = "[FILE...]",
    .summary = "write the laboratory, a page that simulates",
    .about = "The page is one file that works offline, with experiments and labs for courses.\n"
             "It has simrun's labs, or those of each FILE: a lab (.md), or a scenario (.xml),\n"
             "which becomes an experiment; with all files that they name.\n",
    .example = "lab -o lab.html",
    .options = OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_SOLUTIONS) | OPTION_BIT(OPTION_ONLY),
    .run = run,
};
