/* Figures as PNG, drawn by cairo, which is loaded when one is asked for: simrun itself starts without it, and can be
 * built where it is not there. Only the functions that are used here are known, by the interface of libcairo.so.2.
 * Source: the manual of cairo 1.10, https://www.cairographics.org/manual.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/pen.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Dots for each point: 300 an inch, which printers ask for. */
#define DOTS (300.0 / 72)

struct surface;
struct context;
struct extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
};
typedef int write_bytes(void *stream, const unsigned char *bytes, unsigned length);
enum { FORMAT_RGB24 = 1, STATUS_WRITE_ERROR = 11 };

static struct {
    struct surface *(*create_image)(int format, int width, int height);
    struct context *(*create)(struct surface *surface);
    void (*scale)(struct context *context, double x, double y);
    void (*set_colour)(struct context *context, double red, double green, double blue);
    void (*paint)(struct context *context);
    void (*rectangle)(struct context *context, double x, double y, double width, double height);
    void (*fill)(struct context *context);
    void (*move_to)(struct context *context, double x, double y);
    void (*line_to)(struct context *context, double x, double y);
    void (*set_width)(struct context *context, double width);
    void (*set_dash)(struct context *context, const double *dashes, int n_dashes, double offset);
    void (*stroke)(struct context *context);
    void (*select_font)(struct context *context, const char *family, int slant, int weight);
    void (*set_font_size)(struct context *context, double size);
    void (*measure)(struct context *context, const char *text, struct extents *extents);
    void (*show_text)(struct context *context, const char *text);
    void (*save)(struct context *context);
    void (*translate)(struct context *context, double x, double y);
    void (*rotate)(struct context *context, double angle);
    void (*restore)(struct context *context);
    struct surface *(*target)(struct context *context);
    int (*write_png)(struct surface *surface, write_bytes *write, void *stream);
    void (*destroy)(struct context *context);
    void (*destroy_surface)(struct surface *surface);
} cairo;

static const struct {
    const char *name;
    void *function; /* in `cairo` */
} functions[] = {
    {"cairo_image_surface_create", &cairo.create_image},
    {"cairo_create", &cairo.create},
    {"cairo_scale", &cairo.scale},
    {"cairo_set_source_rgb", &cairo.set_colour},
    {"cairo_paint", &cairo.paint},
    {"cairo_rectangle", &cairo.rectangle},
    {"cairo_fill", &cairo.fill},
    {"cairo_move_to", &cairo.move_to},
    {"cairo_line_to", &cairo.line_to},
    {"cairo_set_line_width", &cairo.set_width},
    {"cairo_set_dash", &cairo.set_dash},
    {"cairo_stroke", &cairo.stroke},
    {"cairo_select_font_face", &cairo.select_font},
    {"cairo_set_font_size", &cairo.set_font_size},
    {"cairo_text_extents", &cairo.measure},
    {"cairo_show_text", &cairo.show_text},
    {"cairo_save", &cairo.save},
    {"cairo_translate", &cairo.translate},
    {"cairo_rotate", &cairo.rotate},
    {"cairo_restore", &cairo.restore},
    {"cairo_get_target", &cairo.target},
    {"cairo_surface_write_to_png_stream", &cairo.write_png},
    {"cairo_destroy", &cairo.destroy},
    {"cairo_surface_destroy", &cairo.destroy_surface},
};

const char *pen_png_lack(void)
{
    static const char lack[] = "PNG is drawn by cairo, which is not installed (apt-get install libcairo2); SVG and PDF "
                               "need no library";
    static void *library;
    if (library != NULL)
        return NULL;
    void *opened = dlopen("libcairo.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (opened == NULL)
        return lack;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(opened, functions[i].name);
        if (found == NULL)
            return lack;
        memcpy(functions[i].function, &found, sizeof found);
    }
    library = opened;
    return NULL;
}

static void set_colour(struct context *image, const char *colour)
{
    unsigned red = 0, green = 0, blue = 0;
    sscanf(colour, "#%2x%2x%2x", &red, &green, &blue);
    cairo.set_colour(image, red / 255.0, green / 255.0, blue / 255.0);
}

/* The image, on white ground; made when something is drawn, as the height of the figure is known then. */
static struct context *image_of(struct pen *pen)
{
    if (pen->image != NULL)
        return pen->image;
    struct surface *surface =
        cairo.create_image(FORMAT_RGB24, (int)ceil(pen->width * DOTS), (int)ceil(pen->height * DOTS));
    struct context *image = cairo.create(surface);
    cairo.destroy_surface(surface); /* the context keeps it */
    set_colour(image, "#ffffff");
    cairo.paint(image);
    cairo.scale(image, DOTS, DOTS);
    cairo.select_font(image, "Helvetica", 0, 0);
    return pen->image = image;
}

static void draw_line(struct pen *pen, const struct point2 *points, size_t n, const struct stroke *stroke)
{
    struct context *image = image_of(pen);
    static const double dashes[] = {3, 2};
    set_colour(image, stroke->colour);
    cairo.set_width(image, stroke->width);
    cairo.set_dash(image, dashes, stroke->is_dashed ? 2 : 0, 0);
    for (size_t i = 0; i < n; i++)
        (i == 0 ? cairo.move_to : cairo.line_to)(image, points[i].x, points[i].y);
    cairo.stroke(image);
}

static void draw_box(struct pen *pen, double x, double y, double width, double height, const char *colour)
{
    struct context *image = image_of(pen);
    set_colour(image, colour);
    cairo.rectangle(image, x, y, width, height);
    cairo.fill(image);
}

static void draw_text(struct pen *pen, double x, double y, const char *text, const struct letters *letters)
{
    struct context *image = image_of(pen);
    struct extents extents;
    set_colour(image, letters->colour);
    cairo.save(image);
    cairo.translate(image, x, y);
    if (letters->is_turned)
        cairo.rotate(image, -acos(0)); /* a quarter of a turn */
    cairo.set_font_size(image, letters->size);
    cairo.measure(image, text, &extents);
    double fits =
        pen_text_width(text, letters->size) / extents.x_advance; /* another font may be wider than Helvetica */
    if (fits < 1)
        cairo.set_font_size(image, letters->size * fits);
    cairo.measure(image, text, &extents);
    cairo.move_to(image, -extents.x_advance * (int)letters->anchor / 2, 0);
    cairo.show_text(image, text);
    cairo.restore(image);
}

static int write_to(void *stream, const unsigned char *bytes, unsigned length)
{
    return fwrite(bytes, 1, length, stream) == length ? 0 : STATUS_WRITE_ERROR;
}

static void finish(struct pen *pen, FILE *stream)
{
    struct context *image = image_of(pen);
    cairo.write_png(cairo.target(image), write_to, stream); /* the caller looks at the stream's errors */
    cairo.destroy(image);
    pen->image = NULL;
}

const struct pen_spec pen_png = {draw_line, draw_box, draw_text, finish};
