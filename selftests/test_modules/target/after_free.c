// SPDX-License-Identifier: GPL-2.0-only
/*
 * after_free.c - scenarios that pass addresses of freed objects, for test.d/lifetime
 *
 * Only objtrace_target allocates from the cache, so the memory stays free.
 */
#include "clear_arg_registers.h"
#include "target.h"

#define MAX_RETAKE	1024	/* more objects than a CPU returns before a given freed one */

void *ott_left[OTT_LEFT];
unsigned int ott_nr_left;

static unsigned int left_offset;	/* of the tracked objects in ott_left[] */

static OTT_FUNC int leave(unsigned int n, unsigned int offset)
{
	unsigned int i;

	if (n > OTT_LEFT || ott_nr_left)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		hand_over(ott_left[i] + offset);
		ott_free_cached(ott_left[i]);
		clear_arg_registers();
	}
	ott_nr_left = n;
	left_offset = offset;
	return 0;
}

static noinline int ott_leaves(unsigned int n)
{
	return leave(n, 0);
}

static noinline int ott_leaves_part(unsigned int n)
{
	return leave(n, OTT_PART);
}

static noinline void ott_visits(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < ott_nr_left; i++)
		take(ott_left[i] + left_offset + n);
	ott_barrier();
}

static noinline void ott_haunts(unsigned int n)
{
	unsigned int i;

	for (i = 0; i < ott_nr_left; i++)
		add(ott_left[i] + left_offset);
	ott_barrier();
}

/* The new objects may have addresses of the freed objects. */
noinline int ott_take_left(unsigned int n)
{
	unsigned int i;

	while (ott_nr_left)
		ott_left[--ott_nr_left] = NULL;
	for (i = 0; i < OTT_LEFT; i++) {
		ott_left[i] = ott_left[i] ?: kmem_cache_alloc(ott_cache, GFP_KERNEL);
		if (!ott_left[i])
			return -ENOMEM;
	}
	return 0;
}

static noinline int ott_retake_left(unsigned int n)
{
	void *before;

	while (ott_nr_left) {
		before = ott_left[--ott_nr_left];
		ott_left[ott_nr_left] = allocate_same(ott_cache, before, MAX_RETAKE);
		if (ott_left[ott_nr_left] != before)
			return ott_left[ott_nr_left] ? -EAGAIN : -ENOMEM;
	}
	return 0;
}

static const struct ott_scenario after_free_scenarios[] = {
	{ .name = "leave", .frees = ott_leaves,
	  .sentence = "Add, pass and free LEFT0, LEFT1, ..., N objects." },
	{ .name = "leave_part", .frees = ott_leaves_part,
	  .sentence = "Add and pass PART0, PART1, ..., N objects, and free the memory around each." },
	{ "visit", "Pass the address N bytes after the begin of each freed object.",
	  run_once, ott_visits },
	{ "haunt", "Add the address of each freed object.",
	  run_once, ott_haunts },
	{ .name = "retake_left", .frees = ott_retake_left,
	  .sentence = "Allocate each freed object at its address again." },
	{ .name = "take_left", .frees = ott_take_left,
	  .sentence = "Allocate new objects for the freed ones, at any addresses." },
};

OTT_GROUP(ott_after_free_scenarios, after_free_scenarios);
