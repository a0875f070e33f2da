// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a module of the kernel of sample.c.
 */
struct ws_object;

struct ws_own {
	struct ws_object	*object;
	long			number;
};

void ws_module(struct ws_own *own, struct ws_object *object)
{
	own->object = object;
}
