/* Stub of pen_png.c of src/figure where no library can be loaded: there are no figures as PNG.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/pen.h"

#include <stddef.h>

const struct pen_spec pen_png = {.line = NULL};

const char *pen_png_lack(void)
{
    return "PNG is drawn by cairo, which cannot be loaded here; SVG and PDF need no library";
}
