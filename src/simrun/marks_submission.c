/* Reads submissions, each by itself: what is wrong with one is said in its line, and leaves the others alone.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/marks_submission.h"

#include "base/builder.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/sort.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_BYTES = 200 }; /* of a text in a table */

static char *shown(const char *text)
{
    char cut[SHOWN_BYTES];
    utf8_copy(cut, sizeof cut, text);
    return xstrdup(cut);
}

/* ---- A file ---- */

/* Its bytes, with one behind them; NULL with the fault. */
static char *read_bytes(int folder, const char *name, size_t *length, char **fault)
{
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 || fstat(file, &status) != 0)
        *fault = errno == ELOOP ? xstrdup("is a link, which is not followed")
                                : xformat("cannot be read: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        *fault = xstrdup(S_ISDIR(status.st_mode) ? "is a folder" : "is not a regular file");
    else if (status.st_size > SUBMISSION_BYTES)
        *fault = xformat("has %lld bytes; saved work has at most %d", (long long)status.st_size, SUBMISSION_BYTES);
    char *bytes = *fault == NULL ? xmalloc(SUBMISSION_BYTES + 1) : NULL;
    *length = 0;
    for (ssize_t n = 1; bytes != NULL && n > 0 && *length<SUBMISSION_BYTES; *length += n> 0 ? (size_t)n : 0)
        n = read(file, bytes + *length, SUBMISSION_BYTES - *length);
    if (file >= 0)
        close(file);
    return bytes;
}

static void parse(struct submission *submission, char *bytes, size_t length)
{
    struct sim_error error;
    struct input input;
    submission->json.longest = SUBMISSION_LINES;
    int status = input_open_bytes(&input, submission->file, bytes, length, &error);
    if (status == 0) {
        status = json_parse(&submission->json, &input, &error);
        input_close(&input);
    }
    if (status != 0) {
        submission->fault = xstrdup(error.message);
        return;
    }
    const struct json *json = &submission->json;
    const struct json_node *root = json_at(json, 0), *version = json_member(json, root, "simrun_work"),
                           *name = json_member(json, root, "name");
    if (name != NULL && name->kind == JSON_TEXT)
        submission->who = shown(json_text_of(json, name));
    if (version == NULL || version->kind != JSON_NUMBER || version->number != 1)
        submission->fault = xstrdup("is not saved work: it has no \"simrun_work\": 1");
}

static struct submission read_one(int folder, const char *name)
{
    struct submission submission = {.file = shown(name)};
    size_t length;
    char *bytes = read_bytes(folder, name, &length, &submission.fault);
    if (bytes != NULL)
        parse(&submission, bytes, length);
    free(bytes);
    if (submission.who == NULL)
        submission.who = xstrdup("");
    return submission;
}

/* ---- A folder ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder, in order; hidden ones are none of the students'. */
static char **list_names(DIR *folder, size_t *n_names)
{
    char **names = NULL;
    size_t capacity = 0;
    *n_names = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            names = xgrow(names, *n_names, &capacity, sizeof *names);
            names[(*n_names)++] = xstrdup(entry->d_name);
        }
    sort_stable(names, *n_names, sizeof *names, by_name);
    return names;
}

int submissions_read(struct submission **submissions, size_t *n_submissions, const char *folder,
                     struct sim_error *error)
{
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return sim_error_set(error, SIM_BAD_INPUT, folder, 0, "is no folder that can be read: %s", strerror(errno));
    size_t n_names;
    char **names = list_names(opened, &n_names);
    *submissions = xcalloc(n_names, sizeof **submissions);
    *n_submissions = n_names;
    for (size_t i = 0; i < n_names; i++) {
        (*submissions)[i] = read_one(dirfd(opened), names[i]);
        free(names[i]);
    }
    free(names);
    closedir(opened);
    if (n_names > 0)
        return 0;
    free(*submissions);
    *submissions = NULL;
    return sim_error_set(error, SIM_BAD_INPUT, folder, 0, "has no files; it takes those of \"Save my work\"");
}

void submissions_free(struct submission *submissions, size_t n_submissions)
{
    for (size_t i = 0; i < n_submissions; i++) {
        free(submissions[i].file);
        free(submissions[i].who);
        free(submissions[i].fault);
        json_dispose(&submissions[i].json);
    }
    free(submissions);
}

/* ---- What is in it ---- */

const struct json_node *submission_block(const struct submission *submission, const char *lab, const char *kind,
                                         int number)
{
    if (submission->fault != NULL)
        return NULL;
    char key[16];
    snprintf(key, sizeof key, "%d", number);
    const struct json *json = &submission->json;
    const struct json_node *labs = json_member(json, json_at(json, 0), "labs");
    return json_member(json, json_member(json, json_member(json, labs, lab), kind), key);
}

char *submission_text(const struct submission *submission, const struct json_node *block, const char *name)
{
    const struct json_node *node = json_member(&submission->json, block, name);
    return shown(node != NULL && node->kind == JSON_TEXT ? json_text_of(&submission->json, node) : "");
}

char *submission_points(const struct submission *submission, const struct json_node *block)
{
    enum { MOST_POINTS = 64 };
    const struct json_node *points = json_member(&submission->json, block, "points");
    if (points == NULL || points->kind != JSON_LIST || points->first == JSON_NONE)
        return NULL;
    struct builder text = {0};
    int count = 0;
    for (const struct json_node *point = json_at(&submission->json, points->first);
         point != NULL && count < MOST_POINTS; point = json_at(&submission->json, point->next), count++)
        builder_add(&text, "%s%.6g", count > 0 ? " " : "", point->kind == JSON_NUMBER ? point->number : (double)NAN);
    return builder_take(&text);
}

const char *submission_lines(const struct submission *submission, const struct json_node *block)
{
    const struct json_node *node = json_member(&submission->json, block, "lines");
    return node != NULL && node->kind == JSON_TEXT ? json_text_of(&submission->json, node) : NULL;
}
