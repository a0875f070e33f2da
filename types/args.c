// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map the arguments of a prototype to registers, see types/args.h.
 *
 * BTF does not record packed, aligned() or unnamed bitfields, and gcc and clang pass some structs
 * in different ways.  If that can matter for a struct of up to 16 bytes, the struct counts as not
 * understood.  BTF cannot confirm two assumptions: a struct that a __int128 fills is not packed,
 * and no member of a struct of two words is aligned(16).
 *
 * An older clang for x86-64 splits a __int128 between the last register and the stack.  This code
 * follows the ABI.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/member.h"
#include "types/args.h"

/* Size of a register, "eightbyte" in the ABI of x86-64 */
#define WORD_SIZE	sizeof(u64)
#define WORD_BITS	(WORD_SIZE * BITS_PER_BYTE)

/* A larger struct is passed in memory */
#define MAX_IN_REGISTERS	(2 * WORD_SIZE)

/* On arm64, a struct of up to four floats is passed in registers up to this size */
#define MAX_OF_FLOATS	64

static const unsigned int nr_registers[] = {
	[OBJTRACE_ABI_X86_64]	= 6,
	[OBJTRACE_ABI_ARM64]	= 8,
};

/**
 * struct value - the properties that decide how a value is passed
 * @size: bytes
 * @is_struct: the value is a struct or union
 * @has_float: the value contains a float
 * @has_int128: the value contains a __int128, and is aligned to 16 bytes
 * @unaligned: a member is not aligned to its own size
 * @used: bit N: a member is in word N
 * @objects: bit N: word N is a pointer or an integer of 8 bytes
 */
struct value {
	unsigned int	size;
	bool		is_struct;
	bool		has_float;
	bool		has_int128;
	bool		unaligned;
	u8		used;
	u8		objects;
};

/**
 * struct call - the assignment of arguments to registers
 * @btf: BTF of their types
 * @abi: how arguments are passed
 * @next: first free register
 * @args: registers of the arguments so far
 */
struct call {
	const struct btf	*btf;
	enum objtrace_abi	abi;
	unsigned int		next;
	struct objtrace_args	args;
};

static bool walk_type(const struct btf *btf, u32 id, unsigned int bits, struct value *v,
		      unsigned int depth);

static void use_words(struct value *v, unsigned int bits, unsigned int nr)
{
	unsigned int word;

	for (word = bits / WORD_BITS; word * WORD_BITS < bits + nr; word++)
		v->used |= BIT(word);
}

/* Add a pointer, integer or enum */
static bool add_scalar(struct value *v, unsigned int kind, unsigned int size,
		       unsigned int bits)
{
	switch (size) {
	case 16:
		v->has_int128 = true;
		break;
	case 8:
		if ((kind == BTF_KIND_PTR || kind == BTF_KIND_INT) && !(bits % WORD_BITS))
			v->objects |= BIT(bits / WORD_BITS);
		break;
	case 4:
	case 2:
	case 1:
		break;
	default:
		return false;
	}
	if (bits % (size * BITS_PER_BYTE))
		v->unaligned = true;
	use_words(v, bits, size * BITS_PER_BYTE);
	return true;
}

static bool walk_members(const struct btf *btf, const struct btf_type *t,
			 unsigned int bits, struct value *v, unsigned int depth)
{
	struct objtrace_member member;
	unsigned int i;

	for (i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		objtrace_member_at(btf, t, i, &member);
		if (!member.bit_size) {
			if (!walk_type(btf, member.type, bits + member.bits, v, depth))
				return false;
			continue;
		}
		/* It is unknown how a bitfield of such a large type aligns its struct */
		if (objtrace_type_size_of(btf, member.type) > WORD_SIZE)
			return false;
		use_words(v, bits + member.bits, member.bit_size);
	}
	return true;
}

/*
 * On x86-64, clang passes a struct with a flexible array in memory, but a struct with an array of
 * 0 elements in registers.  BTF has no difference between the two arrays, so refuse both.
 */
static bool walk_elements(const struct btf *btf, const struct btf_array *array,
			  unsigned int bits, struct value *v, unsigned int depth)
{
	unsigned int size = objtrace_type_size_of(btf, array->type);
	bool first_unaligned;
	unsigned int i;

	if (!array->nelems || !walk_type(btf, array->type, bits, v, depth))
		return false;
	first_unaligned = v->unaligned;
	for (i = 1; size && i < array->nelems; i++)
		if (!walk_type(btf, array->type, bits + i * size * BITS_PER_BYTE, v, depth))
			return false;
	/* gcc checks the alignment of the first element only */
	return v->unaligned == first_unaligned;
}

/* Add a type at bit @bits of the value.  Returns false if the type is not understood. */
static bool walk_type(const struct btf *btf, u32 id, unsigned int bits, struct value *v,
		      unsigned int depth)
{
	const struct btf_type *t = objtrace_type_skip(btf, &id);

	if (!t || !depth)
		return false;
	switch (kind_of(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return add_scalar(v, kind_of(t), objtrace_type_size_of(btf, id), bits);
	case BTF_KIND_FLOAT:
		v->has_float = true;
		return true;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return walk_members(btf, t, bits, v, depth - 1);
	case BTF_KIND_ARRAY:
		return walk_elements(btf, array_of(t), bits, v, depth - 1);
	}
	return false;
}

/*
 * A word of a small struct can be empty because of alignment or of an unnamed bitfield.  The
 * cause decides how the struct is passed, but BTF does not have the cause.  BTF may also lack the
 * members of a transparent union, as in release_pages().
 */
static bool has_empty_word(const struct value *v)
{
	unsigned int nr = DIV_ROUND_UP(v->size, WORD_SIZE);

	if (v->size > MAX_IN_REGISTERS)
		return !v->used;
	return v->used != BIT(nr) - 1;
}

/* Returns false if the type is not understood.  The kernel passes no structs with floats. */
static bool read_value(const struct btf *btf, u32 id, struct value *v)
{
	const struct btf_type *t = objtrace_type_skip(btf, &id);

	memset(v, 0, sizeof(*v));
	/* C passes no array: this is a vector, which BTF describes as an array */
	if (!t || kind_of(t) == BTF_KIND_ARRAY)
		return false;
	v->is_struct = has_members(t);
	v->size = objtrace_type_size_of(btf, id);
	if (v->is_struct && (!v->size || v->size > MAX_OF_FLOATS))
		return true;
	if (!walk_type(btf, id, 0, v, OBJTRACE_TYPE_DEPTH))
		return false;
	return !v->is_struct || (!v->has_float && !has_empty_word(v));
}

/* System V AMD64 ABI, "class MEMORY" */
static bool is_in_memory(const struct value *v)
{
	return v->size > MAX_IN_REGISTERS || v->unaligned;
}

/* The caller passes the address for a struct that is returned in memory */
static bool pass_result(struct call *call, u32 id)
{
	struct value v;
	u32 last = id;

	objtrace_type_skip(call->btf, &last);
	/* arm64 passes that address in x8, which is no argument register; void needs no address */
	if (call->abi != OBJTRACE_ABI_X86_64 || !last)
		return true;
	if (!read_value(call->btf, id, &v))
		return false;
	if (is_in_memory(&v))
		call->args.used |= BIT(call->next++);
	return true;
}

/* Pass a value in registers, if enough registers are free for all of its words */
static bool pass_words(struct call *call, const struct value *v)
{
	unsigned int i, nr = DIV_ROUND_UP(v->size, WORD_SIZE);

	if (call->next + nr > nr_registers[call->abi])
		return false;
	for (i = 0; i < nr; i++, call->next++) {
		call->args.used |= BIT(call->next);
		if (v->objects & BIT(i))
			call->args.objects |= BIT(call->next);
	}
	return true;
}

/* A value that is too large for the free registers leaves them to later arguments */
static void pass_x86_64(struct call *call, const struct value *v)
{
	if (!is_in_memory(v))
		pass_words(call, v);
}

/* A large struct is passed by address: that of a copy, which is no object */
static void pass_arm64(struct call *call, const struct value *v)
{
	static const struct value address = { .size = WORD_SIZE };

	if (v->size > MAX_IN_REGISTERS)
		v = &address;
	if (v->has_int128)
		call->next += call->next % 2;
	if (!pass_words(call, v))
		call->next = nr_registers[call->abi];
}

static bool pass_parameter(struct call *call, u32 id)
{
	struct value v;

	if (!read_value(call->btf, id, &v))
		return false;
	if (v.has_float)
		return true;
	if (call->abi == OBJTRACE_ABI_X86_64)
		pass_x86_64(call, &v);
	else
		pass_arm64(call, &v);
	return true;
}

/* All remaining registers for "...", which can be anything */
static void pass_variable_rest(struct call *call)
{
	u8 rest = BIT(nr_registers[call->abi]) - BIT(call->next);

	call->args.used |= rest;
	call->args.objects |= rest;
	call->args.variable = rest;
}

/**
 * objtrace_args_all() - get the mask of all argument registers
 * @abi: how arguments are passed
 *
 * Context: any, NMI included.
 * Return: bit N for register N
 */
u8 objtrace_args_all(enum objtrace_abi abi)
{
	return (1U << nr_registers[abi]) - 1;
}

/**
 * objtrace_args_of() - find the argument registers of a function
 * @btf: BTF of the function
 * @proto: the function's prototype, a BTF_KIND_FUNC_PROTO
 * @abi: how arguments are passed
 * @args: filled in on success
 *
 * Context: any, NMI included; the caller keeps @btf from being freed.
 * Return: true; false if a type is not understood
 */
bool objtrace_args_of(const struct btf *btf, u32 proto, enum objtrace_abi abi,
		      struct objtrace_args *args)
{
	const struct btf_type *t = btf_type_by_id(btf, proto);
	struct call call = { .btf = btf, .abi = abi };
	const struct btf_param *params;
	unsigned int i, nr;

	if (!t || kind_of(t) != BTF_KIND_FUNC_PROTO || !pass_result(&call, t->type))
		return false;
	params = (const struct btf_param *)(t + 1);
	nr = BTF_INFO_VLEN(t->info);
	for (i = 0; i < nr; i++) {
		if (i == nr - 1 && !params[i].type && !params[i].name_off)
			pass_variable_rest(&call);
		else if (!pass_parameter(&call, params[i].type))
			return false;
	}
	*args = call.args;
	return true;
}

/* Returns OBJTRACE_TAKES_* of one parameter, or 0 */
static unsigned int takes_parameter(const struct btf *btf, u32 id, const char *tag)
{
	const struct btf_type *t = objtrace_type_skip(btf, &id);

	if (!t || kind_of(t) != BTF_KIND_PTR)
		return 0;
	id = t->type;
	t = objtrace_type_skip(btf, &id);
	if (!id)
		return OBJTRACE_TAKES_VOID;
	if (!t || (!has_members(t) && kind_of(t) != BTF_KIND_FWD))
		return 0;
	return strcmp(name_in(btf, t->name_off), tag) ? 0 : OBJTRACE_TAKES_STRUCT;
}

/**
 * objtrace_args_take() - look for parameters that are pointers to a struct
 * @btf: BTF of the function
 * @proto: the function's prototype
 * @tag: tag of the struct
 *
 * Parameters on the stack count, too.
 *
 * Context: any, NMI included; the caller keeps @btf from being freed.
 * Return: a mask: OBJTRACE_TAKES_STRUCT if a parameter is a pointer to the struct, and
 * OBJTRACE_TAKES_VOID if a parameter is a void *
 */
unsigned int objtrace_args_take(const struct btf *btf, u32 proto, const char *tag)
{
	const struct btf_type *t = btf_type_by_id(btf, proto);
	const struct btf_param *params;
	unsigned int i, found = 0;

	if (!t || kind_of(t) != BTF_KIND_FUNC_PROTO)
		return 0;
	params = (const struct btf_param *)(t + 1);
	for (i = 0; i < BTF_INFO_VLEN(t->info); i++)
		found |= takes_parameter(btf, params[i].type, tag);
	return found;
}
