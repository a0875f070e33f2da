/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random numbers that depend on a seed alone, on all machines.
 */
#ifndef _FUZZ_RANDOM_H
#define _FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* struct random - the state of a sequence of random numbers, which is never 0 */
struct random {
	uint64_t state;
};

/**
 * random_next() - compute the next number of a sequence
 * @r: the sequence
 *
 * This is Marsaglia's generator "xorshift64*", of which the upper half is used.
 *
 * Return: the number.
 */
static inline uint32_t random_next(struct random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return (r->state * 0x2545f4914f6cdd1dULL) >> 32;
}

/**
 * random_start() - start one of the sequences of a seed
 * @r: the sequence
 * @seed: the seed
 * @stream: the number of the sequence, below 256
 */
static inline void random_start(struct random *r, uint32_t seed, unsigned int stream)
{
	unsigned int i;

	/* The first numbers of similar states are similar */
	r->state = ((uint64_t)seed << 16 | stream << 8 | 1) * 0x9e3779b97f4a7c15ULL;
	for (i = 0; i < 8; i++)
		random_next(r);
}

/**
 * random_below() - compute a number from 0 to @n - 1
 * @r: the sequence
 * @n: how many numbers are possible, at least 1
 *
 * Return: the number.
 */
static inline unsigned int random_below(struct random *r, unsigned int n)
{
	return (uint64_t)random_next(r) * n >> 32;
}

/**
 * one_in() - be true once in @n calls, on average
 * @r: the sequence
 * @n: the number of calls, at least 1
 *
 * Return: true or false.
 */
static inline bool one_in(struct random *r, unsigned int n)
{
	return !random_below(r, n);
}

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

/* Choose an element of an array */
#define PICK(r, array)	((array)[random_below(r, ARRAY_SIZE(array))])

#endif /* _FUZZ_RANDOM_H */
