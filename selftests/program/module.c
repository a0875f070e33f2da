// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module of the kernel for test.sh.  Each module has its own copy of an incomplete struct.
 */
struct opaque;
struct node;

struct extra {
	struct node *node;
	struct opaque *opaque;
};

void extra_add(struct extra *extra, struct node *node) { }
void node_put(struct node *node) { }
