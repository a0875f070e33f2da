/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps from an object's address to its value, and the format of the value.
 */
#ifndef _OBJTRACE_FETCH_H
#define _OBJTRACE_FETCH_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Limit of reads for one value: the pointers on the way, and the value itself */
#define OBJTRACE_MAX_DEREFS	8

/**
 * enum objtrace_format - format of a printed value
 * @OBJTRACE_FORMAT_HEX: in hexadecimal
 * @OBJTRACE_FORMAT_SIGNED: in decimal, with its sign
 * @OBJTRACE_FORMAT_CHAR: as a character
 * @OBJTRACE_FORMAT_SYMBOL: as a symbol, with the value as the address
 * @OBJTRACE_FORMAT_ENUM: as the name of an enumerator, see objtrace_types_enumerator()
 */
enum objtrace_format {
	OBJTRACE_FORMAT_HEX,
	OBJTRACE_FORMAT_SIGNED,
	OBJTRACE_FORMAT_CHAR,
	OBJTRACE_FORMAT_SYMBOL,
	OBJTRACE_FORMAT_ENUM,
};

/**
 * enum objtrace_fault - result of a read
 * @OBJTRACE_NO_FAULT: the value was read
 * @OBJTRACE_FAULT: no kernel memory is mapped at an address on the way
 * @OBJTRACE_FAULT_IO: an address on the way is mapped, but not RAM: see kernel/memory.h
 * @OBJTRACE_FAULT_UNKNOWN: the value is that of a store whose instruction is not decoded
 *
 * The field "fault" of the records has these numbers.
 */
enum objtrace_fault {
	OBJTRACE_NO_FAULT	= 0,
	OBJTRACE_FAULT		= 1,
	OBJTRACE_FAULT_IO	= 2,
	OBJTRACE_FAULT_UNKNOWN	= 3,
};

/**
 * struct objtrace_fetch - steps from an object's address to its value
 * @offset: bytes to add, first to the object's address, then to each pointer on the way
 * @nr: number of offsets, at least 1; the last sum is the address of the value
 * @size: bytes to read at that address: 1, 2, 4 or 8
 * @bit_offset: number of bits below the value in these bytes
 * @bit_size: size of the value in bits; 0 for all bits
 * @is_signed: true if the highest bit of the value is a sign
 * @is_raw: true if the bytes that are read are the value, without a change: all of their bits, and
 *	    no sign
 * @format: enum objtrace_format
 * @enum_id: type of the enum in @btf for OBJTRACE_FORMAT_ENUM, else 0
 * @btf: number of the BTF of @enum_id and @struct_id, see types/types.h
 * @struct_id: type of the object in @btf; 0 if the command names no struct
 * @struct_size: size of the struct in bytes
 * @member: the path to the value as in the command, with a.2 for a[2]; empty if the command names
 *	    no member.  It belongs to the trigger
 * @member_len: length of @member
 *
 * Constant from the time at which the trigger is added to its event.
 */
struct objtrace_fetch {
	int	offset[OBJTRACE_MAX_DEREFS];
	u8	nr;
	u8	size;
	u8	bit_offset;
	u8	bit_size;
	bool	is_signed;
	bool	is_raw;
	u8	format;
	u32	enum_id;
	u32	btf;
	u32	struct_id;
	u32	struct_size;
	const char *member;
	size_t	member_len;
};

/**
 * objtrace_format_has_names() - check whether values of a format can have names
 * @format: enum objtrace_format
 *
 * Context: Any, NMI included.
 * Return: false if each value is a number
 */
static inline bool objtrace_format_has_names(u8 format)
{
	return format == OBJTRACE_FORMAT_CHAR || format == OBJTRACE_FORMAT_ENUM;
}

/**
 * objtrace_fetch_meets() - check that two ranges of memory overlap
 * @addr: start of the range to read
 * @size: size of this range in bytes, at least 1
 * @start: start of the other range, which must not wrap around
 * @length: size of the other range in bytes, at least 1
 *
 * Context: Any, NMI included.
 * Return: true if the ranges overlap
 */
static __always_inline bool objtrace_fetch_meets(unsigned long addr, unsigned int size,
						 unsigned long start, unsigned long length)
{
	return addr - start + (size - 1) < length + (size - 1);
}

/**
 * objtrace_fetch_value() - extract the value from the bytes that were read
 * @fetch: the size, the position and the sign of the value
 * @raw: the bytes as an unsigned number
 *
 * Context: Any, NMI included.
 * Return: the value, extended to 64 bits with zeros or with its sign
 */
static inline u64 objtrace_fetch_value(const struct objtrace_fetch *fetch, u64 raw)
{
	unsigned int bits = fetch->bit_size ?: fetch->size * 8;
	unsigned int above = 64 - bits;

	/* The value has all bits that were read, and the bits above are 0 */
	if (!fetch->bit_size && !fetch->is_signed)
		return raw;
	raw <<= above - fetch->bit_offset;
	return fetch->is_signed ? (u64)((s64)raw >> above) : raw >> above;
}

#endif /* _OBJTRACE_FETCH_H */
