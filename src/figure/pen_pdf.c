/* Figures as PDF: one page, in one of the fonts that every reader has. Source: ISO 32000-1, 7.5, 8 and 9.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/pen.h"

#include <stdlib.h>
#include <string.h>

/* The next character of a text in UTF-8, by its number in Windows-1252, which PDF calls WinAnsiEncoding: Latin-1, and a
 * few more; '?' for others. *text is moved on. */
static unsigned next_letter(const char **text)
{
    static const struct {
        const char *utf8;
        unsigned letter;
    } more[] = {{"\u20ac", 0x80}, {"\u2026", 0x85}, {"\u2018", 0x91}, {"\u2019", 0x92}, {"\u201c", 0x93},
                {"\u201d", 0x94}, {"\u2022", 0x95}, {"\u2013", 0x96}, {"\u2014", 0x97}, {"\u03bc", 0xb5}};
    const unsigned char *at = (const unsigned char *)*text;
    size_t length = 1;
    while ((at[0] & 0x80) != 0 && (at[length] & 0xc0) == 0x80)
        length++;
    *text += length;
    if (length == 1)
        return at[0] < 32 ? ' ' : at[0] < 0x80 ? at[0] : '?';
    if (length == 2 && (at[0] == 0xc2 || at[0] == 0xc3))
        return (at[0] & 3U) << 6 | (at[1] & 0x3fU);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (strncmp((const char *)at, more[i].utf8, length) == 0)
            return more[i].letter;
    return '?';
}

/* Source: the metrics of Helvetica among Adobe's core 14 fonts. */
static int width_of(unsigned letter)
{
    static const short ascii[] = {/* 32 to 126, in thousandths of the size */
                                  278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                                  556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                                  1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                                  667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                                  333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                                  556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
    static const short latin[] = {/* 160 to 255 */
                                  278, 333, 556, 556, 556, 556, 260,  556, 333, 737, 370, 556, 584, 333, 737, 333,
                                  400, 584, 333, 333, 333, 556, 537,  278, 333, 333, 365, 556, 834, 834, 834, 611,
                                  667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
                                  722, 722, 778, 778, 778, 778, 778,  584, 778, 722, 722, 722, 722, 667, 667, 611,
                                  556, 556, 556, 556, 556, 556, 889,  500, 556, 556, 556, 556, 278, 278, 278, 278,
                                  556, 556, 556, 556, 556, 556, 556,  584, 611, 556, 556, 556, 556, 500, 556, 500};
    switch (letter) {
    case 0x85:
    case 0x97:
        return 1000;
    case 0x91:
    case 0x92:
        return 222;
    case 0x93:
    case 0x94:
        return 333;
    case 0x95:
        return 350;
    default:
        return letter >= 160 ? latin[letter - 160] : letter <= 126 ? ascii[letter - 32] : 556;
    }
}

double pen_text_width(const char *text, double size)
{
    double sum = 0;
    while (*text != '\0')
        sum += width_of(next_letter(&text));
    return sum * size / 1000;
}

static void add_colour(struct builder *drawn, const char *colour, const char *operation)
{
    unsigned red = 0, green = 0, blue = 0;
    sscanf(colour, "#%2x%2x%2x", &red, &green, &blue);
    builder_add(drawn, "%.3f %.3f %.3f %s ", red / 255.0, green / 255.0, blue / 255.0, operation);
}

static void draw_line(struct pen *pen, const struct point2 *points, size_t n, const struct stroke *stroke)
{
    add_colour(&pen->drawn, stroke->colour, "RG");
    builder_add(&pen->drawn, "%.2f w [%s] 0 d\n", stroke->width, stroke->is_dashed ? "3 2" : "");
    for (size_t i = 0; i < n; i++)
        builder_add(&pen->drawn, "%.2f %.2f %s\n", points[i].x, pen->height - points[i].y, i > 0 ? "l" : "m");
    builder_add(&pen->drawn, "S\n");
}

static void draw_box(struct pen *pen, double x, double y, double width, double height, const char *colour)
{
    add_colour(&pen->drawn, colour, "rg");
    builder_add(&pen->drawn, "%.2f %.2f %.2f %.2f re f\n", x, pen->height - y - height, width, height);
}

static void add_string(struct builder *drawn, const char *text)
{
    builder_add(drawn, "(");
    while (*text != '\0') {
        unsigned letter = next_letter(&text);
        if (letter > 126)
            builder_add(drawn, "\\%03o", letter);
        else
            builder_add(drawn, "%s%c", strchr("()\\", (int)letter) != NULL ? "\\" : "", (int)letter);
    }
    builder_add(drawn, ")");
}

static void draw_text(struct pen *pen, double x, double y, const char *text, const struct letters *letters)
{
    double back = pen_text_width(text, letters->size) * (int)letters->anchor / 2;
    add_colour(&pen->drawn, letters->colour, "rg");
    builder_add(&pen->drawn, "BT /F %.2f Tf ", letters->size);
    if (letters->is_turned)
        builder_add(&pen->drawn, "0 1 -1 0 %.2f %.2f Tm ", x, pen->height - y - back);
    else
        builder_add(&pen->drawn, "1 0 0 1 %.2f %.2f Tm ", x - back, pen->height - y);
    add_string(&pen->drawn, text);
    builder_add(&pen->drawn, " Tj ET\n");
}

static void finish(struct pen *pen, FILE *stream)
{
    enum { N_OBJECTS = 5 };
    struct builder file = {0}, objects[N_OBJECTS] = {0};
    size_t places[N_OBJECTS], length = pen->drawn.length;
    char *drawn = builder_take(&pen->drawn);
    builder_add(&objects[0], "<< /Type /Catalog /Pages 2 0 R >>");
    builder_add(&objects[1], "<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    builder_add(&objects[2],
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents 4 0 R "
                "/Resources << /Font << /F 5 0 R >> >> >>",
                pen->width, pen->height);
    builder_add(&objects[3], "<< /Length %zu >>\nstream\n%sendstream", length, drawn);
    builder_add(&objects[4], "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
    builder_add(&file, "%%PDF-1.4\n");
    for (int i = 0; i < N_OBJECTS; i++) {
        char *object = builder_take(&objects[i]);
        places[i] = file.length;
        builder_add(&file, "%d 0 obj\n%s\nendobj\n", i + 1, object);
        free(object);
    }
    length = file.length;
    builder_add(&file, "xref\n0 %d\n0000000000 65535 f \n", N_OBJECTS + 1);
    for (int i = 0; i < N_OBJECTS; i++)
        builder_add(&file, "%010zu 00000 n \n", places[i]);
    builder_add(&file, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%zu\n%%%%EOF\n", N_OBJECTS + 1, length);
    fwrite(file.text, 1, file.length, stream);
    free(builder_take(&file));
    free(drawn);
}

const struct pen_spec pen_pdf = {draw_line, draw_box, draw_text, finish};
