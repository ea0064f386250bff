/* Expressions of whole numbers: reads them, and computes them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/internal.h"

#include "base/memory.h"

#include <string.h>

enum operation {
    OR,
    AND,
    NOT,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REST,
    NEGATE,
    MIN,
    MAX,
    XOR
};

/* Operators between two operands, from those that bind least; rows of the same rank bind alike. */
static const struct {
    const char *sign;
    int rank;
    enum operation operation;
} operators[] = {
    {"or", 0, OR},         {"and", 1, AND},   {"==", 2, EQUAL},         {"!=", 2, UNEQUAL}, {"<", 2, LESS},
    {"<=", 2, LESS_EQUAL}, {">", 2, GREATER}, {">=", 2, GREATER_EQUAL}, {"+", 3, ADD},      {"-", 3, SUBTRACT},
    {"*", 4, MULTIPLY},    {"/", 4, DIVIDE},  {"%", 4, REST},
};
enum { N_OPERATORS = sizeof operators / sizeof operators[0], N_RANKS = 5 };

static const struct {
    const char *name;
    enum operation operation;
} functions[] = {{"min", MIN}, {"max", MAX}, {"xor", XOR}};

static int add_node(struct user_broadcast_parser *parser, struct user_broadcast_node node)
{
    struct user_broadcast_lines *lines = parser->lines;
    lines->nodes = xgrow(lines->nodes, lines->n_nodes, &lines->nodes_capacity, sizeof *lines->nodes);
    lines->nodes[lines->n_nodes] = node;
    return (int)lines->n_nodes++;
}

static int add_operation(struct user_broadcast_parser *parser, enum operation operation, int left, int right)
{
    return add_node(parser, (struct user_broadcast_node){NODE_OPERATION, (uint8_t)operation, left, right, 0});
}

static int read_number(struct user_broadcast_parser *parser)
{
    static const int64_t most = INT64_C(1000000000000);
    int64_t number = 0;
    for (size_t i = 0; i < parser->token.length; i++) {
        char c = parser->token.text[i];
        if (c < '0' || c > '9' || number > most)
            return user_broadcast_refuse(parser, "a whole number up to 1000000000000");
        number = 10 * number + (c - '0');
    }
    user_broadcast_next_token(parser);
    return add_node(parser, (struct user_broadcast_node){.kind = NODE_NUMBER, .value = number});
}

static int expect(struct user_broadcast_parser *parser, const char *sign)
{
    if (!user_broadcast_token_is(parser, sign))
        return user_broadcast_refuse(parser, sign);
    user_broadcast_next_token(parser);
    return 0;
}

/* min(a, b) */
static int read_function(struct user_broadcast_parser *parser, enum operation operation)
{
    int left, right;
    user_broadcast_next_token(parser);
    if (expect(parser, "(") != 0 || (left = user_broadcast_expression(parser)) < 0 || expect(parser, ",") != 0 ||
        (right = user_broadcast_expression(parser)) < 0 || expect(parser, ")") != 0)
        return -1;
    return add_operation(parser, operation, left, right);
}

static int read_name(struct user_broadcast_parser *parser)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (user_broadcast_token_is(parser, functions[i].name))
            return read_function(parser, functions[i].operation);
    int variable = user_broadcast_variable(parser, false);
    if (variable < 0)
        return -1;
    user_broadcast_next_token(parser);
    return add_node(parser, (struct user_broadcast_node){.kind = NODE_VARIABLE, .value = variable});
}

static int read_operand(struct user_broadcast_parser *parser)
{
    const struct user_broadcast_token *token = &parser->token;
    char first = token->length > 0 ? *token->text : '\0';
    if (user_broadcast_token_is(parser, "-") || user_broadcast_token_is(parser, "not")) {
        enum operation operation = first == '-' ? NEGATE : NOT;
        user_broadcast_next_token(parser);
        if (++parser->depth > OWN_MAX_DEPTH)
            return user_broadcast_refuse(parser, "an expression with at most 64 nested brackets");
        int operand = read_operand(parser);
        parser->depth--;
        return operand < 0 ? -1 : add_operation(parser, operation, operand, operand);
    }
    if (user_broadcast_token_is(parser, "(")) {
        user_broadcast_next_token(parser);
        int inner = user_broadcast_expression(parser);
        return inner < 0 || expect(parser, ")") != 0 ? -1 : inner;
    }
    if (first >= '0' && first <= '9')
        return read_number(parser);
    if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'))
        return read_name(parser);
    return user_broadcast_refuse(parser, "a number, a name or a bracket");
}

static int find_operator(const struct user_broadcast_parser *parser, int rank)
{
    for (int i = 0; i < N_OPERATORS; i++)
        if (operators[i].rank == rank && user_broadcast_token_is(parser, operators[i].sign))
            return i;
    return -1;
}

static int read_rank(struct user_broadcast_parser *parser, int rank)
{
    if (rank == N_RANKS)
        return read_operand(parser);
    int left = read_rank(parser, rank + 1), found;
    while (left >= 0 && (found = find_operator(parser, rank)) >= 0) {
        user_broadcast_next_token(parser);
        int right = read_rank(parser, rank + 1);
        left = right < 0 ? -1 : add_operation(parser, operators[found].operation, left, right);
    }
    return left;
}

int user_broadcast_expression(struct user_broadcast_parser *parser)
{
    if (++parser->depth > OWN_MAX_DEPTH)
        return user_broadcast_refuse(parser, "an expression with at most 64 nested brackets");
    int node = read_rank(parser, 0);
    parser->depth--;
    return node;
}

/* Divide as in C what is below 0. */
static bool divide(int64_t *value, int64_t left, int64_t right, bool is_rest, const char **why)
{
    if (right == 0)
        *why = "a number is divided by 0";
    else if (right == -1)
        *value = is_rest ? 0 : -left;
    else
        *value = is_rest ? left % right : left / right;
    return right != 0;
}

static bool calculate(int64_t *value, enum operation operation, int64_t left, int64_t right, const char **why)
{
    *why = "a number is larger than 2^63";
    switch (operation) {
    case ADD:
        return !__builtin_add_overflow(left, right, value);
    case SUBTRACT:
        return !__builtin_sub_overflow(left, right, value);
    case MULTIPLY:
        return !__builtin_mul_overflow(left, right, value);
    case NEGATE:
        return !__builtin_sub_overflow(0, left, value);
    case DIVIDE:
    case REST:
        return (left != INT64_MIN || right != -1) && divide(value, left, right, operation == REST, why);
    default:
        break;
    }
    const int64_t results[] = {
        [OR] = left != 0 || right != 0,
        [AND] = left != 0 && right != 0,
        [NOT] = left == 0,
        [EQUAL] = left == right,
        [UNEQUAL] = left != right,
        [LESS] = left<right, [LESS_EQUAL] = left <= right, [GREATER] = left> right,
        [GREATER_EQUAL] = left >= right,
        [MIN] = left < right ? left : right,
        [MAX] = left > right ? left : right,
        [XOR] = left ^ right,
    };
    *value = results[operation];
    return true;
}

bool user_broadcast_compute(int64_t *value, const struct user_broadcast_lines *lines, int node,
                            const int64_t *variables, const char **why)
{
    const struct user_broadcast_node *self = &lines->nodes[node];
    int64_t left, right = 0;
    if (self->kind == NODE_NUMBER)
        *value = self->value;
    else if (self->kind == NODE_VARIABLE)
        *value = variables[self->value];
    else
        return user_broadcast_compute(&left, lines, self->left, variables, why) &&
               (self->right == self->left || user_broadcast_compute(&right, lines, self->right, variables, why)) &&
               calculate(value, (enum operation)self->operation, left, right, why);
    return true;
}
