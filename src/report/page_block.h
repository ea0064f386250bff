/* Blocks of data in a page: compressed, and in base64, so that nothing in them is ever HTML.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_PAGE_BLOCK_H
#define REPORT_PAGE_BLOCK_H

#include <stddef.h>
#include <stdio.h>

struct page_block;

/* Begin a block with this id. */
struct page_block *page_block_begin(FILE *stream, const char *id);
/* The next bytes, less than 4 GiB; `block` is a struct page_block, as json_writer_init() takes it. */
void page_block_take(void *block, const void *bytes, size_t length);
/* End it, and free it. */
void page_block_end(struct page_block *block);

#endif
