/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The page of view_html.c, which page/build.sh makes.
 */
	.section .rodata
	.global page_template, page_template_end
page_template:
#ifdef PAGE
	.incbin PAGE
#endif
page_template_end:
	.section .note.GNU-stack, "", %progbits
