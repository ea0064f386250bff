/* simrun marks FOLDER [LAB.md...]: what students have handed in, simulated again: their answers, what is alike, and a
 * race of their broadcasts.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "os/data.h"
#include "os/path.h"
#include "simrun/answer.h"
#include "simrun/command.h"
#include "simrun/marks_alike.h"
#include "simrun/marks_race.h"
#include "simrun/marks_simulate.h"
#include "simrun/marks_submission.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char default_platforms[] = "icluster,icluster-gigabit,icluster-myrinet";

/* A question or a prediction, with what the simulator says. Of a curve to draw, only the block is known. */
struct asked {
    const struct lab *lab;
    struct lab_question question;
    struct lab_value value;
    char *fault; /* NULL: there is a value */
};

struct marks {
    const struct options *options;
    struct lab *labs;
    size_t n_labs, labs_capacity;
    struct submission *submissions;
    size_t n_submissions;
    struct asked *asked;
    size_t n_asked, asked_capacity;
};

/* ---- Labs ---- */

static int load(struct marks *marks, const char *file, struct sim_error *error)
{
    marks->labs = xgrow(marks->labs, marks->n_labs, &marks->labs_capacity, sizeof *marks->labs);
    return lab_load(&marks->labs[marks->n_labs++], file, error);
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int is_lab(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".md") == 0;
}

/* simrun's own labs, in the order of their numbers. */
static int load_own(struct marks *marks, struct sim_error *error)
{
    char *data = data_folder(), *folder = xformat("%s/labs", data);
    struct dirent **entries;
    int n_entries = scandir(folder, &entries, is_lab, NULL), status = 0;
    if (n_entries <= 0)
        status = sim_error_set(error, SIM_BAD_INPUT, folder, 0, "has no labs; give those that the answers are of");
    char **names = xcalloc((size_t)(n_entries > 0 ? n_entries : 0), sizeof *names);
    for (int i = 0; i < n_entries; i++) {
        names[i] = xformat("%s/%s", folder, entries[i]->d_name);
        free(entries[i]); /* on the heap of the C library, whose free() is ours */
    }
    if (n_entries > 0)
        qsort(names, (size_t)n_entries, sizeof *names, by_name);
    for (int i = 0; i < n_entries; i++) {
        if (status == 0)
            status = load(marks, names[i], error);
        free(names[i]);
    }
    if (n_entries >= 0)
        free(entries);
    free(names);
    free(folder);
    free(data);
    return status;
}

/* ---- Answers ---- */

static const char *const kinds[N_LAB_KINDS] = {[LAB_QUESTION] = "answers", [LAB_PREDICT] = "predictions"};
static const char *const words[N_LAB_KINDS] = {[LAB_QUESTION] = "question", [LAB_PREDICT] = "prediction"};

static bool is_answered(const struct marks *marks, const struct lab *lab, const struct lab_block *block)
{
    for (size_t i = 0; i < marks->n_submissions; i++)
        if (submission_block(&marks->submissions[i], lab->name, kinds[block->kind], block->number) != NULL)
            return true;
    return false;
}

/* Simulate what anybody has answered. */
static void ask_all(struct marks *marks)
{
    for (size_t i = 0; i < marks->n_labs; i++)
        for (size_t b = 0; b < marks->labs[i].n_blocks; b++) {
            struct asked asked = {.lab = &marks->labs[i]};
            const struct lab_block *block = &asked.lab->blocks[b];
            struct sim_error error;
            bool is_curve = lab_row(block, "curve") != NULL;
            if ((!lab_question(&asked.question, block) && !is_curve) || !is_answered(marks, asked.lab, block))
                continue;
            asked.question.block = block;
            if (!is_curve && marks_answer(&asked.value, &asked.question, &error) != 0)
                asked.fault = xstrdup(error.message);
            marks->asked = xgrow(marks->asked, marks->n_asked, &marks->asked_capacity, sizeof *marks->asked);
            marks->asked[marks->n_asked++] = asked;
        }
}

/* As the page judges; a prediction is neither right nor wrong. */
static bool is_right(const struct asked *asked, const struct json *json, const struct json_node *given)
{
    const struct lab_value *value = &asked->value;
    if (given == NULL)
        return false;
    if (value->kind == LAB_NUMBER)
        return given->kind == JSON_NUMBER &&
               fabs(given->number - value->number) <= asked->question.within * fabs(value->number) + 1e-12;
    return given->kind == JSON_TEXT && strcmp(json_text_of(json, given), value->text) == 0;
}

static void put_value(struct table *table, const struct asked *asked)
{
    if (asked->value.kind == LAB_NUMBER)
        table_real(table, asked->value.number);
    else if (asked->value.kind == LAB_TEXT)
        table_text(table, asked->value.text);
    else
        table_none(table);
}

static void put_text(struct document *document, struct table *table, char *text)
{
    table_text(table, document_own(document, text));
}

/* The text that was given, or the points of a drawn curve. */
static char *given_in(const struct submission *submission, const struct json_node *block)
{
    char *points = submission_points(submission, block);
    return points != NULL ? points : submission_text(submission, block, "given");
}

static void put_answer(struct document *document, struct table *table, const struct submission *submission,
                       const struct asked *asked, const struct json_node *block)
{
    const struct lab_block *from = asked->question.block;
    const struct json_node *given = json_member(&submission->json, block, "value");
    table_text(table, submission->who);
    table_text(table, submission->file);
    put_text(document, table, xformat("%s, %s %d", asked->lab->name, words[from->kind], from->number));
    put_text(document, table, given_in(submission, block));
    if (from->kind == LAB_PREDICT || asked->fault != NULL)
        table_none(table);
    else
        table_text(table, is_right(asked, &submission->json, given) ? "yes" : "no");
    put_value(table, asked);
    put_text(document, table, submission_text(submission, block, "when"));
    table_text(table, asked->fault != NULL ? asked->fault : "");
}

/* A line for a submission in which nothing is answered, with its fault if it has one. */
static void put_nothing(struct table *table, const struct submission *submission)
{
    table_text(table, submission->who);
    table_text(table, submission->file);
    for (int i = 0; i < 5; i++)
        table_none(table);
    table_text(table, submission->fault != NULL ? submission->fault : "nothing is answered");
}

/* For readers, the questions of each submission: how many are right, and how many anybody has answered. */
static void put_results(struct document *document, const struct marks *marks)
{
    struct table *table = document_table(document, "results", "Results", FOR_READERS);
    table_column(table, (struct column){.id = "who", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "file", .unit = UNIT_TEXT, .flags = COLUMN_KEY});
    table_column(table, (struct column){.id = "right", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "answered", .unit = UNIT_COUNT});
    table_column(table, (struct column){.id = "questions", .unit = UNIT_COUNT});
    for (size_t i = 0; i < marks->n_submissions; i++) {
        const struct submission *submission = &marks->submissions[i];
        int n_right = 0, n_answered = 0, n_questions = 0;
        for (size_t a = 0; a < marks->n_asked; a++) {
            const struct asked *asked = &marks->asked[a];
            const struct lab_block *from = asked->question.block;
            if (from->kind != LAB_QUESTION || asked->fault != NULL)
                continue;
            const struct json_node *block =
                submission_block(submission, asked->lab->name, kinds[from->kind], from->number);
            n_questions++;
            n_answered += block != NULL;
            n_right +=
                block != NULL && is_right(asked, &submission->json, json_member(&submission->json, block, "value"));
        }
        table_text(table, submission->who);
        table_text(table, submission->file);
        table_integer(table, n_right);
        table_integer(table, n_answered);
        table_integer(table, n_questions);
    }
}

static void put_answers(struct document *document, const struct marks *marks)
{
    static const char *const columns[] = {"who", "file", "what", "given", "right", "value", "when", "note"};
    struct table *table = document_table(document, "answers", "Answers", FOR_ALL);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_column(table, (struct column){.id = columns[i],
                                            .unit = i == 5 ? UNIT_NUMBER : UNIT_TEXT,
                                            .flags = i < 3 ? COLUMN_KEY : 0});
    for (size_t i = 0; i < marks->n_submissions; i++) {
        const struct submission *submission = &marks->submissions[i];
        int count = 0;
        for (size_t a = 0; a < marks->n_asked; a++) {
            const struct lab_block *from = marks->asked[a].question.block;
            const struct json_node *block =
                submission_block(submission, marks->asked[a].lab->name, kinds[from->kind], from->number);
            if (block != NULL)
                put_answer(document, table, submission, &marks->asked[a], block);
            count += block != NULL;
        }
        if (count == 0)
            put_nothing(table, submission);
    }
}

/* ---- The command ---- */

static int make_document(struct document *document, void *self, struct sim_error *error)
{
    const struct marks *marks = self;
    const char *platforms = marks->options->platform != NULL ? marks->options->platform : default_platforms;
    (void)error;
    document->name = "marks";
    document->title = "Marks";
    document_fact(document, (struct column){.id = "submissions", .unit = UNIT_COUNT},
                  cell_of_integer((int64_t)marks->n_submissions));
    put_results(document, marks);
    put_answers(document, marks);
    marks_put_alike(document, marks->submissions, marks->n_submissions);
    marks_put_race(document, marks->labs, marks->n_labs, marks->submissions, marks->n_submissions, platforms);
    return 0;
}

static int mark(struct marks *marks, struct sim_error *error)
{
    struct options options = *marks->options;
    int status = options.n_files == 1 ? load_own(marks, error) : 0;
    for (int i = 1; i < options.n_files && status == 0; i++)
        status = load(marks, options.files[i], error);
    if (status == 0)
        status = submissions_read(&marks->submissions, &marks->n_submissions, options.files[0], error);
    if (status != 0)
        return -1;
    if (!options_has(&options, OPTION_FORMAT))
        options.format = report_find("csv");
    ask_all(marks);
    return answer_output(&options, make_document, marks, error);
}

static int run(const struct options *options, struct sim_error *error)
{
    struct marks marks = {.options = options};
    int status = mark(&marks, error);
    for (size_t i = 0; i < marks.n_labs; i++)
        lab_dispose(&marks.labs[i]);
    for (size_t i = 0; i < marks.n_asked; i++)
        free(marks.asked[i].fault);
    if (marks.submissions != NULL)
        submissions_free(marks.submissions, marks.n_submissions);
    free(marks.labs);
    free(marks.asked);
    return status;
}

const struct command command_marks = {
    .name = "marks",
    .arguments = "FOLDER [LAB.md...]",
    .summary = "mark saved work of the laboratory, as a table",
    .about = "FOLDER has the files of \"Save my work\". All answers are simulated again, each\n"
             "within bounds. The table (CSV) says who answered what, and what is right;\n"
             "tables below it say which files are alike, and rank the broadcasts.\n",
    .example = "marks submissions -o marks.csv",
    .options = OPTION_BIT(OPTION_PLATFORM) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT),
    .least = 1,
    .run = run,
};
