/* Reading tables of measured values: what is read, and each mistake with its message.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/dataset.h"

#include "base/memory.h"
#include "tests/testing.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAD SOURCE_DIR "/tests/data/bad/dataset/"

/* ---- Good files ---- */

/* The rows as text, "n=1 kind=a|n=2 kind=b"; to be freed. */
static char *describe(const struct dataset *dataset)
{
    size_t size = 0;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    for (size_t row = 0; row < dataset->n_rows; row++)
        for (int c = 0; c < dataset->n_columns; c++) {
            const struct dataset_column *column = &dataset->columns[c];
            fprintf(stream, "%s%s=", c > 0 ? " " : row > 0 ? "|" : "", column->name);
            if (dataset_is_number(column))
                fprintf(stream, "%.17g%s", column->numbers[row], column->unit);
            else
                fputs(dataset->texts[column->texts[row]], stream);
        }
    fclose(stream);
    return text;
}

#define MEASURED(value) "p=4 region= metric=value value=" value

static const struct {
    const char *name, *text, *rows;
} good[] = {
    {"commas", "n,time_s\n1,0.5\n2,7e-1\n", "n=1 time_s=0.5s|n=2 time_s=0.69999999999999996s"},
    {"semicolons", "n;time_s\n1;0.5\n", "n=1 time_s=0.5s"},
    {"semicolons before commas", "n;a,b\n1;0.5\n", "n=1 a,b=0.5"},
    {"tabs", "n\ttime, total\n1\t.5\n", "n=1 time, total=0.5"},
    {"blanks", " n , time_s \n 1 ,\t+0.5 \n", "n=1 time_s=0.5s"},
    {"quotes", "\"n\",\"a \"\"b\"\"\",\"kind, or so\"\n\"1\",2,\"x\ny\"\n", "n=1 a \"b\"=2 kind, or so=x\ny"},
    {"separators in quotes", "\"a;b\",n\n1,2\n", "a;b=1 n=2"},
    {"comments and empty lines", "# by me\n\nn,k\n# a,b\n1,2\n\n3,4\n", "n=1 k=2|n=3 k=4"},
    {"ends of lines", "n,k\r\n1,2\r3,4", "n=1 k=2|n=3 k=4"},
    {"byte order mark", "\357\273\277n,k\n1,2\n", "n=1 k=2"},
    {"times", "a [ms],b (us),c_ms,d [\302\265s],e[min]\n2,3,4,5,6\n",
     "a=0.002s b=3.0000000000000001e-06s c_ms=4ms d=4.9999999999999996e-06s e=360s"},
    {"sizes", "a [KiB],b (MB),c_GB\n2,3,4\n", "a=2048B b=3000000B c_GB=4GB"},
    {"other units", "energy [J],rate (GB/s),x_y\n2,3,4\n", "energy=2J rate=3GB/s x_y=4"},
    {"texts", "kind,n\na,1\nb,2\na,3\n", "kind=a n=1|kind=b n=2|kind=a n=3"},
    {"numbers", "n,k\n1e3,123456789012345678\n-0.0001,1e-30\n",
     "n=1000 k=1.2345678901234568e+17|n=-0.0001 k=1.0000000000000001e-30"},
    {"JSON lines", "{\"p\": 4, \"kind\": \"a\\u00e9\\n\"}\n\n{\"kind\": \"b\", \"p\": 8}\n",
     "p=4 kind=a\303\251\n|p=8 kind=b"},
    {"JSON list", "[{\"p\": 4, \"t [ms]\": 1}, {\"p\": 8, \"t [ms]\": 2}]", "p=4 t=0.001s|p=8 t=0.002s"},
    {"Extra-P lines", "{\"params\":{\"p\":4},\"value\":1}\n{\"params\":{\"p\":4},\"value\":[2,3]}\n",
     MEASURED("1") "|" MEASURED("2") "|" MEASURED("3")},
    {"Extra-P lines with names", "{\"params\":{\"p\":4},\"metric\":\"t\",\"callpath\":\"main->f\",\"value\":1}",
     "p=4 region=main->f metric=t value=1"},
    {"Extra-P document",
     "{\"measurements\": {\"main\": {\"t\": [{\"point\": [4, 1], \"values\": [1, 2]}]}}, \"parameters\": [\"p\", "
     "\"q\"]}",
     "p=4 q=1 region=main metric=t value=1|p=4 q=1 region=main metric=t value=2"},
    {"Extra-P's older document",
     "{\"callpaths\": [{\"id\": 7, \"name\": \"main\"}], \"metrics\": [{\"id\": 2, \"name\": \"t\"}], \"parameters\": "
     "[{\"id\": 5, \"name\": \"p\"}], \"coordinates\": [{\"id\": 3, \"parameter_value_pairs\": [{\"parameter_id\": 5, "
     "\"parameter_value\": 4}]}], \"measurements\": [{\"id\": 1, \"callpath_id\": 7, \"metric_id\": 2, "
     "\"coordinate_id\": 3, \"value\": 1.5}]}",
     "p=4 region=main metric=t value=1.5"},
    {"Extra-P text", "# x\nPARAMETER p\nPOINTS 4 8\nREGION main->f g\nMETRIC t\nDATA 1 2\n\nDATA 3\n",
     "p=4 region=main->f g metric=t value=1|p=4 region=main->f g metric=t value=2|p=8 region=main->f g metric=t "
     "value=3"},
    {"points of two", "PARAMETER p q\nPOINTS ( 4 1 ) ((8) (2))\nDATA 1\nDATA 2\n",
     "p=4 q=1 region= metric=value value=1|p=8 q=2 region= metric=value value=2"},
    {"several lines of points", "PARAMETER p\nPARAMETER q\nPOINTS (4 1)(8 1)\nPOINTS (4 2)\nDATA 1\nDATA 2\nDATA 3\n",
     "p=4 q=1 region= metric=value value=1|p=8 q=1 region= metric=value value=2|p=4 q=2 region= metric=value value=3"},
};

static char *path; /* of a file to read */

static void write_file(const char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    fwrite(bytes, 1, size, stream);
    fclose(stream);
}

static void test_good(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct dataset dataset;
        struct sim_error error = {.message = ""};
        write_file(good[i].text, strlen(good[i].text));
        int status = dataset_load(&dataset, path, &error);
        char *rows = status == 0 ? describe(&dataset) : xstrdup(error.message);
        if (strcmp(rows, good[i].rows) != 0)
            printf("\n  %s: %s", good[i].name, rows);
        CU_ASSERT_STRING_EQUAL(rows, good[i].rows);
        free(rows);
        if (status == 0)
            dataset_dispose(&dataset);
    }
}

/* Numbers are those of strtod(), to the last bit. */
static void test_numbers(void)
{
    for (int i = 0; i < 20000; i++) {
        char text[64];
        double value = 0;
        int digits = testing_random_to(17), exponent = testing_random_to(60) - 30;
        snprintf(text, sizeof text, "%.*f%s%d", digits % 7, testing_random_to(1000000) / 7. * testing_random_to(1000),
                 i % 2 ? "e" : "E", exponent);
        CU_ASSERT(dataset_number(&value, text));
        CU_ASSERT_EQUAL(value, strtod(text, NULL));
    }
}

static void test_keep(void)
{
    struct dataset dataset;
    struct sim_error error;
    const char text[] = "n,kind\n1,a\n2,b\n3,c\n";
    write_file(text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(dataset_load(&dataset, path, &error), 0);
    dataset_keep(&dataset, (const bool[]){true, false, true});
    char *rows = describe(&dataset);
    CU_ASSERT_STRING_EQUAL(rows, "n=1 kind=a|n=3 kind=c");
    CU_ASSERT_EQUAL(dataset.lines[1], 4);
    free(rows);
    dataset_dispose(&dataset);
}

/* ---- Mistakes ---- */

static const struct {
    const char *name, *message; /* behind the name of the file */
} bad[] = {
    {"csv/behind_quote", ":2: column 2: kind: text between the closing quote and the separator"},
    {"csv/comma",
     ":3: column 2: time_s: '0,7' is not a number; the first row has a number there (a decimal point is a point)"},
    {"csv/comments", ": has no line with the names of the columns"},
    {"csv/control", ":2: column 4: a control character (byte 1); a table is text"},
    {"csv/empty", ":2: column 2: time_s: nothing; every row has a value in every column"},
    {"csv/first_nan", ":2: column 2: time_s: 'nan' is no value; every row has a value in every column"},
    {"csv/head_twice", ":2: column 1: n: the name of the column again; one line has the names"},
    {"csv/huge", ":2: column 4098: a text of more than 4095 bytes, which is the most"},
    {"csv/infinite", ":2: column 2: time_s is not a finite number"},
    {"csv/long", ":2: column 3: 3 fields, but the first line names 2 columns"},
    {"csv/nan", ":3: column 2: time_s: 'NaN' is no value; every row has a value in every column"},
    {"csv/negative", ":3: column 2: time is -0.5; a value in s is not below 0"},
    {"csv/no_head", ":1: column 1: '1' is a number; the first line has the names of the columns, such as n,time_s"},
    {"csv/no_name", ":1: column 1: has no name; the first line names all columns"},
    {"csv/no_rows", ": has names of columns, but no rows with values"},
    {"csv/number", ":3: column 2: kind: '3' is a number; the first row has text there"},
    {"csv/one_column", ":1: one column only; separators of columns are the comma, the semicolon and the tab"},
    {"csv/quote", ":2: a quote (\") is not closed"},
    {"csv/same_name", ":1: column 3: 'n' is already the name of column 1"},
    {"csv/same_unit", ":1: column 2: 'time' is already the name of column 1"},
    {"csv/short", ":3: column 2: 2 fields, but the first line names 3 columns"},
    {"csv/text", ":3: column 2: time_s: 'fast' is not a number; the first row has a number there"},
    {"csv/two_heads", ":3: column 1: n: 'n' is not a number; the first row has a number there"},
    {"extrap/brackets", ":2: column 14: a point has a value for each parameter, in parentheses: (4 1)"},
    {"extrap/few", ":5: before this line, region 'a' has DATA for 1 of 2 points; a region has one for each"},
    {"extrap/late", ":3: column 10: PARAMETER behind POINTS; all parameters come first"},
    {"extrap/many", ":5: DATA for a further point, but there are 2 points; a region has one for each"},
    {"extrap/no_data", ":3: column 5: DATA without a value"},
    {"extrap/no_parameter", ":1: column 11: PARAMETER without a name"},
    {"extrap/no_points", ":2: column 5: DATA before POINTS"},
    {"extrap/none", ": has names of columns, but no rows with values"},
    {"extrap/number", ":3: column 8: 'x' is not a finite number"},
    {"extrap/point", ":2: column 16: a point has a value for each parameter, in parentheses: (4 1)"},
    {"extrap/section", ":3: column 1: unknown section 'VALUES'; known: PARAMETER POINTS METRIC REGION DATA"},
    {"json/behind", ":1: column 25: something behind the list, which is all that a file has"},
    {"json/cut", ":1: column 20: a value is wanted, not the end of the file"},
    {"json/deep", ":1: column 34: more than 32 levels, which is the most"},
    {"json/escape", ":1: column 4: one of \"\\/bfnrtu behind \\ is wanted, not 'x'"},
    {"json/identity", ":1: column 128: the identity is 3; one that is in the list it is of is wanted"},
    {"json/list", ":2: column 20: 'time_s' is a list; a number is wanted"},
    {"json/metric", ":1: column 57: a metric is 7; a list of its measurements is wanted"},
    {"json/missing", ":2: column 1: 'time_s' is missing; all rows have the same names"},
    {"json/nan", ":1: column 20: 'NaN' is neither a finite number nor a text in quotes, a list or an object"},
    {"json/no_params",
     ":2: column 1: the row is an object; an object with the object 'params', as the first, is wanted"},
    {"json/no_value", ":1: column 1: the row, which has no 'value', is an object; a measurement is wanted"},
    {"json/no_values", ":1: column 31: 'value' is a list; a number or a list of numbers is wanted"},
    {"json/other", ":2: column 18: 'time' is not in the first row; all rows have the same names"},
    {"json/point", ":1: column 72: a coordinate is 5; one for each parameter is wanted"},
    {"json/separator", ":1: column 24: ',' or ']' is wanted behind a row"},
    {"json/text", ":2: column 20: 'time_s' is '1'; a number is wanted"},
    {"json/twice", ":2: column 15: 'p' is there twice"},
};

static const char *row_name(size_t i)
{
    return i < sizeof bad / sizeof bad[0] ? bad[i].name : NULL;
}

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dataset dataset;
        struct sim_error error = {.message = ""};
        char *file = xformat(BAD "%s.txt", bad[i].name), *message = xformat("%s%s", file, bad[i].message);
        CU_ASSERT_EQUAL(dataset_load(&dataset, file, &error), -1);
        CU_ASSERT_EQUAL(error.status, SIM_BAD_INPUT);
        if (strcmp(error.message, message) != 0)
            printf("\n  %s", error.message);
        CU_ASSERT_STRING_EQUAL(error.message, message);
        free(message);
        free(file);
    }
}

static void test_bad_is_complete(void)
{
    testing_check_table(BAD, ".txt", row_name);
}

int main(void)
{
    static const struct test tests[] = {
        {"good files", test_good},
        {"numbers", test_numbers},
        {"rows kept", test_keep},
        {"bad files", test_bad},
        {"no bad file is left out", test_bad_is_complete},
        {NULL, NULL},
    };
    char name[] = "/tmp/dataset-XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0)
        return 1;
    close(descriptor);
    path = name;
    int status = testing_run("dataset", tests);
    unlink(name);
    return status;
}
