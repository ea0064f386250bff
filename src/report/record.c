#include "report/record.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>

static struct record_field *add_field(struct record *record, const char *name, enum record_type type)
{
    assert(record->n_fields < RECORD_MAX_FIELDS);
    struct record_field *field = &record->fields[record->n_fields++];
    *field = (struct record_field){.name = name, .type = type};
    return field;
}

void record_text(struct record *record, const char *name, const char *text)
{
    add_field(record, name, RECORD_TEXT)->text = text;
}

void record_number(struct record *record, const char *name, double number)
{
    add_field(record, name, RECORD_NUMBER)->number = number;
}

void record_count(struct record *record, const char *name, int64_t count)
{
    add_field(record, name, RECORD_COUNT)->count = count;
}

void record_flag(struct record *record, const char *name, bool flag)
{
    add_field(record, name, RECORD_FLAG)->count = flag;
}

static json_t *value_of(const struct record_field *field)
{
    if (field->type == RECORD_TEXT)
        return json_string(field->text);
    if (field->type == RECORD_COUNT)
        return json_integer((json_int_t)field->count);
    if (field->type == RECORD_FLAG)
        return json_boolean(field->count);
    return isfinite(field->number) ? json_real(field->number) : json_null();
}

static json_t *object_of(const struct record *record)
{
    json_t *object = json_object();
    for (int i = 0; i < record->n_fields; i++)
        json_object_set_new(object, record->fields[i].name, value_of(&record->fields[i]));
    return object;
}

void record_write_json(FILE *stream, const struct record *head, const char *name, const struct record *records,
                       int n_records)
{
    json_t *document = object_of(head), *list = json_array();
    for (int i = 0; i < n_records; i++)
        json_array_append_new(list, object_of(&records[i]));
    json_object_set_new(document, name, list);
    json_dumpf(document, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    fputc('\n', stream);
    json_decref(document);
}
