/* Parses JSON by recursive descent.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/json.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    struct json *json;
    struct input *input;
    struct sim_error *error;
};

static int parse_value(struct parser *parser, uint32_t *place, int depth);

static int fail(const struct parser *parser, const char *wanted)
{
    const struct input *input = parser->input;
    char found[32] = "the end of the file";
    if (input->next > ' ' && input->next < 127)
        snprintf(found, sizeof found, "'%c'", input->next);
    else if (input->next != EOF)
        snprintf(found, sizeof found, "byte %d", input->next);
    return dataset_fail(parser->error, input->file, input->line, input->column, "%s is wanted, not %s", wanted, found);
}

/* ---- Texts ---- */

static void add_byte(struct json *json, int byte)
{
    json->texts = xgrow(json->texts, json->n_texts, &json->texts_capacity, 1);
    json->texts[json->n_texts++] = (char)byte;
}

static void add_utf8(struct json *json, unsigned code)
{
    if (code < 0x80) {
        add_byte(json, (int)code);
        return;
    }
    int n_more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int first[] = {0, 0xc0, 0xe0, 0xf0};
    add_byte(json, first[n_more] | (int)(code >> 6 * n_more));
    while (n_more-- > 0)
        add_byte(json, 0x80 | (int)(code >> 6 * n_more & 0x3f));
}

/* The four digits behind "\u". */
static int parse_code(struct parser *parser, unsigned *code)
{
    *code = 0;
    for (int i = 0; i < 4; i++, input_advance(parser->input)) {
        const char *digits = "0123456789abcdefABCDEF";
        const char *digit = parser->input->next > 0 ? strchr(digits, parser->input->next) : NULL;
        if (digit == NULL)
            return fail(parser, "a hexadecimal digit");
        *code = 16 * *code + (unsigned)(digit - digits) - (digit - digits > 15 ? 6 : 0);
    }
    return 0;
}

static int parse_escaped_code(struct parser *parser)
{
    unsigned code, low;
    if (parse_code(parser, &code) != 0)
        return -1;
    if (code >= 0xd800 && code < 0xdc00 && parser->input->next == '\\') { /* the first of two halves */
        input_advance(parser->input);
        if (parser->input->next != 'u')
            return fail(parser, "the other half of a character");
        input_advance(parser->input);
        if (parse_code(parser, &low) != 0)
            return -1;
        code = 0x10000 + ((code - 0xd800) << 10) + ((low - 0xdc00) & 0x3ff);
    }
    add_utf8(parser->json, code == 0 ? '?' : code);
    return 0;
}

static int parse_escape(struct parser *parser)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = parser->input->next > 0 ? strchr(names, parser->input->next) : NULL;
    if (name == NULL && parser->input->next != 'u')
        return fail(parser, "one of \"\\/bfnrtu behind \\");
    input_advance(parser->input);
    if (name == NULL)
        return parse_escaped_code(parser);
    add_byte(parser->json, values[name - names]);
    return 0;
}

/* A text in quotes; *text is where it begins among all. */
static int parse_text(struct parser *parser, size_t *text)
{
    struct input *input = parser->input;
    size_t longest = parser->json->longest != 0 ? parser->json->longest : DATASET_TEXT;
    *text = parser->json->n_texts;
    if (input->next != '"')
        return fail(parser, "a name in quotes");
    input_advance(input);
    while (input->next != '"') {
        if (input->next < ' ')
            return fail(parser, "the end of the text (\")");
        if (parser->json->n_texts - *text >= longest) {
            char wanted[60];
            snprintf(wanted, sizeof wanted, "a text of at most %zu bytes", longest);
            return fail(parser, wanted);
        }
        int next = input->next;
        input_advance(input);
        if (next != '\\')
            add_byte(parser->json, next);
        else if (parse_escape(parser) != 0)
            return -1;
    }
    input_advance(input);
    add_byte(parser->json, '\0');
    return 0;
}

/* ---- Values ---- */

/* A number, or one of the words of JSON. */
static int parse_word(struct parser *parser, struct json_node *node)
{
    struct input *input = parser->input;
    input_begin(input);
    while (input->next > ' ' && strchr("{}[],:\"", input->next) == NULL)
        if (input_keep(input, parser->error) != 0)
            return -1;
    node->kind = strcmp(input->token, "null") == 0 ? JSON_NULL : JSON_FLAG;
    if (node->kind == JSON_NULL || strcmp(input->token, "true") == 0 || strcmp(input->token, "false") == 0)
        return 0;
    node->kind = JSON_NUMBER;
    if (strchr("-0123456789", input->token[0]) != NULL && dataset_number(&node->number, input->token))
        return 0;
    return dataset_fail(parser->error, input->file, node->line, node->column,
                        "'%.60s' is neither a finite number nor a text in quotes, a list or an object", input->token);
}

/* Behind the bracket. */
static int parse_members(struct parser *parser, uint32_t list, char close, int depth)
{
    struct input *input = parser->input;
    uint32_t last = JSON_NONE, place;
    for (bool is_first = true;; is_first = false) {
        size_t name = 0;
        input_skip_space(input);
        if (is_first && input->next == close)
            return 0;
        if (close == '}') {
            if (parse_text(parser, &name) != 0)
                return -1;
            input_skip_space(input);
            if (input->next != ':')
                return fail(parser, "':'");
            input_advance(input);
        }
        if (parse_value(parser, &place, depth + 1) != 0)
            return -1;
        parser->json->nodes[place].name = name;
        struct json_node *nodes = parser->json->nodes;
        *(last == JSON_NONE ? &nodes[list].first : &nodes[last].next) = place;
        last = place;
        input_skip_space(input);
        if (input->next == close)
            return 0;
        if (input->next != ',')
            return fail(parser, close == '}' ? "',' or '}'" : "',' or ']'");
        input_advance(input);
    }
}

static int parse_value(struct parser *parser, uint32_t *place, int depth)
{
    struct json *json = parser->json;
    struct input *input = parser->input;
    input_skip_space(input);
    if (depth == JSON_DEPTH || json->n_nodes == JSON_NODES)
        return dataset_fail(parser->error, input->file, input->line, input->column,
                            "more than %d %s, which is the most", depth == JSON_DEPTH ? JSON_DEPTH : JSON_NODES,
                            depth == JSON_DEPTH ? "levels" : "values");
    json->nodes = xgrow(json->nodes, json->n_nodes, &json->nodes_capacity, sizeof *json->nodes);
    *place = (uint32_t)json->n_nodes++;
    struct json_node node = {
        .first = JSON_NONE, .next = JSON_NONE, .line = (uint32_t)input->line, .column = (uint32_t)input->column};
    char bracket = input->next == '{' ? '}' : input->next == '[' ? ']' : '\0';
    node.kind = bracket == '}' ? JSON_OBJECT : bracket == ']' ? JSON_LIST : JSON_TEXT;
    int status = 0;
    if (input->next == EOF)
        return fail(parser, "a value");
    if (bracket == '\0')
        status = input->next == '"' ? parse_text(parser, &node.text) : parse_word(parser, &node);
    json->nodes[*place] = node;
    if (bracket == '\0')
        return status;
    input_advance(input);
    if (parse_members(parser, *place, bracket, depth) != 0)
        return -1;
    input_advance(input);
    return 0;
}

int json_parse(struct json *json, struct input *input, struct sim_error *error)
{
    struct parser parser = {json, input, error};
    uint32_t root;
    json->n_nodes = json->n_texts = 0;
    add_byte(json, '\0'); /* the name of what has none */
    return parse_value(&parser, &root, 0);
}

void json_dispose(struct json *json)
{
    free(json->nodes);
    free(json->texts);
}

const struct json_node *json_member(const struct json *json, const struct json_node *object, const char *name)
{
    if (object == NULL || object->kind != JSON_OBJECT)
        return NULL;
    const struct json_node *member = json_at(json, object->first);
    while (member != NULL && strcmp(json_name_of(json, member), name) != 0)
        member = json_at(json, member->next);
    return member;
}

int json_fail(const struct json *json, const char *file, const struct json_node *node, const char *what,
              const char *wanted, struct sim_error *error)
{
    static const char *const kinds[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
    char number[40];
    const char *found = kinds[node->kind];
    if (node->kind == JSON_NUMBER) {
        snprintf(number, sizeof number, "%.15g", node->number);
        found = number;
    }
    bool is_text = node->kind == JSON_TEXT;
    return dataset_fail(error, file, node->line, node->column, "%s is %s%.60s%s; %s is wanted", what,
                        is_text ? "'" : "", is_text ? json_text_of(json, node) : found, is_text ? "'" : "", wanted);
}
