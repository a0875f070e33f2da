/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How to get from an object's address to its value, and how the value is shown.
 */
#ifndef _OBJTRACE_FETCH_H
#define _OBJTRACE_FETCH_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Reads that it takes to get a value: one more than pointers followed */
#define OBJTRACE_MAX_DEREFS	8

/**
 * enum objtrace_format - how a value is shown
 * @OBJTRACE_FORMAT_HEX: in hexadecimal
 * @OBJTRACE_FORMAT_SIGNED: in decimal, with its sign
 * @OBJTRACE_FORMAT_CHAR: as a character
 * @OBJTRACE_FORMAT_SYMBOL: as the symbol at that address
 * @OBJTRACE_FORMAT_ENUM: by the enumerator's name, see objtrace_types_enumerator()
 */
enum objtrace_format {
	OBJTRACE_FORMAT_HEX,
	OBJTRACE_FORMAT_SIGNED,
	OBJTRACE_FORMAT_CHAR,
	OBJTRACE_FORMAT_SYMBOL,
	OBJTRACE_FORMAT_ENUM,
};

/**
 * enum objtrace_fault - why a value is not read
 * @OBJTRACE_NO_FAULT: the value is read
 * @OBJTRACE_FAULT: no kernel memory is mapped at the address, or at that of a pointer
 * @OBJTRACE_FAULT_IO: memory is mapped there that is not RAM, see kernel/memory.h
 *
 * Records have these numbers in their field fault.
 */
enum objtrace_fault {
	OBJTRACE_NO_FAULT	= 0,
	OBJTRACE_FAULT		= 1,
	OBJTRACE_FAULT_IO	= 2,
};

/**
 * struct objtrace_fetch - how to get from an object to its value
 * @offset: bytes to add to the object's address, then to each pointer read there
 * @nr: how many of them, at least 1; the value is where the last one leads
 * @size: bytes to read there: 1, 2, 4 or 8
 * @bit_offset: bits of these below the value
 * @bit_size: bits of the value, 0 for all that were read
 * @is_signed: whether the value's highest bit is its sign
 * @format: enum objtrace_format
 * @enum_id: for OBJTRACE_FORMAT_ENUM its type in @btf, else 0
 * @btf: number of the BTF of @enum_id and @struct_id, see types/types.h
 * @struct_id: type of the object in @btf; 0 if it was not given
 * @struct_size: bytes of it
 *
 * Constant once the trigger is set.
 */
struct objtrace_fetch {
	int	offset[OBJTRACE_MAX_DEREFS];
	u8	nr;
	u8	size;
	u8	bit_offset;
	u8	bit_size;
	bool	is_signed;
	u8	format;
	u32	enum_id;
	u32	btf;
	u32	struct_id;
	u32	struct_size;
};

/**
 * objtrace_fetch_meets() - whether what is read has a byte of some other memory
 * @addr: first byte that is read
 * @size: bytes, at least 1
 * @start: first byte of the other memory, which does not end behind the last address
 * @length: bytes of it, at least 1
 *
 * Context: any.
 * Return: true if it has
 */
static __always_inline bool objtrace_fetch_meets(unsigned long addr, unsigned int size,
						 unsigned long start, unsigned long length)
{
	return addr - start + (size - 1) < length + (size - 1);
}

/**
 * objtrace_fetch_value() - the value in what was read
 * @fetch: how it was read
 * @raw: the @fetch->size bytes as an unsigned number
 *
 * Context: any.
 * Return: the value: extended to 64 bits, by its sign if it has one
 */
static inline u64 objtrace_fetch_value(const struct objtrace_fetch *fetch, u64 raw)
{
	unsigned int bits = fetch->bit_size ?: fetch->size * 8;
	unsigned int above = 64 - bits;

	/* All of it, and nothing but 0 is above */
	if (!fetch->bit_size && !fetch->is_signed)
		return raw;
	raw <<= above - fetch->bit_offset;
	return fetch->is_signed ? (u64)((s64)raw >> above) : raw >> above;
}

#endif /* _OBJTRACE_FETCH_H */
