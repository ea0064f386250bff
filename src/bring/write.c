/* Writes a platform that was made as a file.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bring/platform.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 116 };

/* Text from outside in a comment or an attribute: without what means something there. */
static bool may_stand(char c, char before)
{
    return isalnum((unsigned char)c) || strchr(" .,:;()@/%_=+#", c) != NULL || (c == '-' && before != '-');
}

static void write_text(const char *text, FILE *stream)
{
    for (char before = '\0'; *text != '\0'; before = *text++)
        if (may_stand(*text, before))
            putc(*text, stream);
}

/* A comment, broken at blanks. */
static void write_comment(const char *text, FILE *stream)
{
    int column = fprintf(stream, "    <!--");
    while (*text != '\0') {
        char word[WIDTH];
        int length = (int)strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", length, text);
        if (column + 1 + (int)strlen(word) > WIDTH)
            column = fprintf(stream, "\n        ") - 1;
        putc(' ', stream);
        write_text(word, stream);
        column += 1 + length;
        text += length + (text[length] == ' ');
    }
    fputs(" -->\n", stream);
}

static void write_cluster(const struct made_platform *platform, FILE *stream)
{
    write_comment("(A) speed: no table says it; set speed= for replays. bw, lat: as wire.host", stream);
    fprintf(stream,
            "    <cluster id=\"%s\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" bw=\"%.0fBps\" "
            "lat=\"%.0fps\"/>\n",
            platform->name, platform->n_hosts - 1, platform->wire_Bps, platform->wire_latency_s * 1e12);
}

/* ---- The graph of a description ---- */

static double bandwidth_of(const struct made_platform *platform, const struct fabric_link *link)
{
    double bandwidth_Bps = link->count * link->bandwidth_Bps;
    return bandwidth_Bps > 0 ? bandwidth_Bps : platform->wire_Bps;
}

static void write_name(const struct fabric *fabric, int node, FILE *stream)
{
    putc('"', stream);
    write_text(fabric->nodes[node].name, stream);
    putc('"', stream);
}

static void write_graph(const struct made_platform *platform, FILE *stream)
{
    const struct fabric *fabric = platform->fabric;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < fabric->n_nodes; i++)
            if (fabric->nodes[i].is_switch == (pass == 1)) {
                fputs(pass == 1 ? "    <router id=" : "    <host id=", stream);
                write_name(fabric, (int)i, stream);
                fputs(pass == 1 ? "/>\n" : " speed=\"1Gf\"/>\n", stream);
            }
    for (size_t i = 0; i < fabric->n_links; i++)
        fprintf(stream,
                "    <link id=\"wire%zu\" bandwidth=\"%.0fBps\" latency=\"%.0fps\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                i, bandwidth_of(platform, &fabric->links[i]), platform->wire_latency_s * 1e12);
    for (size_t i = 0; i < fabric->n_links; i++) {
        fputs("    <route src=", stream);
        write_name(fabric, fabric->links[i].from, stream);
        fputs(" dst=", stream);
        write_name(fabric, fabric->links[i].to, stream);
        fprintf(stream, "><link_ctn id=\"wire%zu\" direction=\"UP\"/></route>\n", i);
    }
}

/* ---- All of it ---- */

static bool is_graph(const struct made_platform *platform)
{
    return platform->topology[0] == '\0' && platform->fabric->n_links > 0;
}

void platform_write_file(const struct made_platform *platform, const char *head, FILE *stream)
{
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n", stream);
    write_comment(head, stream);
    fprintf(stream, "<platform version=\"4.1\">\n  <zone id=\"world\" routing=\"%s\">\n",
            is_graph(platform) ? "Floyd" : "Full");
    for (size_t i = 0; i < platform->n_props; i++) {
        const struct made_prop *prop = &platform->props[i];
        if (prop->comment != NULL)
            write_comment(prop->comment, stream);
        fprintf(stream, "    <prop id=\"%s\" value=\"", prop->id);
        write_text(prop->value, stream);
        fputs("\"/>\n", stream);
    }
    if (is_graph(platform))
        write_graph(platform, stream);
    else
        write_cluster(platform, stream);
    fputs("  </zone>\n</platform>\n", stream);
}
