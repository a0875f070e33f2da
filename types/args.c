// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that a prototype's arguments are in, see types/args.h.
 *
 * BTF tells neither of packed nor of aligned(), nor of unnamed bitfields, and gcc and
 * clang do not agree about all structs.  Where that could matter for a struct of up to
 * 16 bytes, it is not understood.  Two things are taken for granted, because BTF cannot
 * show them: a struct that a __int128 fills is not packed, and no member of a struct of
 * two words is aligned(16).
 *
 * An older clang for x86-64 divides a __int128 between the last register and the
 * stack.  What is said here is what the ABI says.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "kernel/member.h"
#include "types/args.h"

/* What registers hold, "eightbyte" in the ABI of x86-64 */
#define WORD_SIZE	sizeof(u64)
#define WORD_BITS	(WORD_SIZE * BITS_PER_BYTE)

/* A larger struct is in memory */
#define MAX_IN_REGISTERS	(2 * WORD_SIZE)

/* Unless it holds nothing but up to four floats, on arm64 */
#define MAX_OF_FLOATS	64

static const unsigned int nr_registers[] = {
	[OBJTRACE_ABI_X86_64]	= 6,
	[OBJTRACE_ABI_ARM64]	= 8,
};

/**
 * struct value - what decides how a value is passed
 * @size: bytes
 * @is_struct: whether it is a struct or union
 * @has_float: whether a float is in it
 * @has_int128: whether a __int128 is in it: it is aligned to 16 bytes
 * @unaligned: whether a member is not aligned to its own size
 * @used: bit N: something is in word N
 * @objects: bit N: a pointer or an integer of 8 bytes is word N
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
 * struct call - arguments that are being passed
 * @btf: where their types are
 * @abi: how
 * @next: first register that is free
 * @args: what has been passed
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

/* A pointer, integer or enum */
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
		/* How much this aligns its struct, nobody says */
		if (objtrace_type_size_of(btf, member.type) > WORD_SIZE)
			return false;
		use_words(v, bits + member.bits, member.bit_size);
	}
	return true;
}

/*
 * A flexible array makes clang pass the struct in memory, on x86-64, and one of no
 * elements does not; BTF has the same for both.
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
	/* gcc looks at the first element only */
	return v->unaligned == first_unaligned;
}

/* What is @bits bits from the beginning of the value; false: it is not understood */
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
 * Alignment or an unnamed bitfield may have left a word of a small struct empty, and
 * what is done with it depends on that.  Of a transparent union, as release_pages()
 * has, BTF may have lost the members.
 */
static bool has_empty_word(const struct value *v)
{
	unsigned int nr = DIV_ROUND_UP(v->size, WORD_SIZE);

	if (v->size > MAX_IN_REGISTERS)
		return !v->used;
	return v->used != BIT(nr) - 1;
}

/* Structs with floats, which the kernel does not pass, are not understood */
static bool read_value(const struct btf *btf, u32 id, struct value *v)
{
	const struct btf_type *t = objtrace_type_skip(btf, &id);

	memset(v, 0, sizeof(*v));
	/* No argument is an array; vectors look like one */
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

/* A struct that is returned in memory: the caller says where */
static bool pass_result(struct call *call, u32 id)
{
	struct value v;
	u32 last = id;

	objtrace_type_skip(call->btf, &last);
	/* No register of ours on arm64, and nothing for void */
	if (call->abi != OBJTRACE_ABI_X86_64 || !last)
		return true;
	if (!read_value(call->btf, id, &v))
		return false;
	if (is_in_memory(&v))
		call->args.used |= BIT(call->next++);
	return true;
}

/* All words are in registers, or none */
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

/* Later arguments may be in registers that this one was too large for */
static void pass_x86_64(struct call *call, const struct value *v)
{
	if (!is_in_memory(v))
		pass_words(call, v);
}

/* The address of a large struct is that of the caller's copy */
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

/* Of "...", which may be anything */
static void pass_variable_rest(struct call *call)
{
	u8 rest = BIT(nr_registers[call->abi]) - BIT(call->next);

	call->args.used |= rest;
	call->args.objects |= rest;
	call->args.variable = rest;
}

/**
 * objtrace_args_all() - all registers that pass arguments
 * @abi: how functions are called
 *
 * Context: any.
 * Return: bit N for register N
 */
u8 objtrace_args_all(enum objtrace_abi abi)
{
	return (1U << nr_registers[abi]) - 1;
}

/**
 * objtrace_args_of() - which argument registers a function takes
 * @btf: the BTF
 * @proto: the function's prototype in it, a BTF_KIND_FUNC_PROTO
 * @abi: how arguments are passed
 * @args: stored here
 *
 * Context: any that may call btf_type_by_id(): @btf must not go away meanwhile.
 * Return: true; false if it cannot be told for sure, @args is unchanged then
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

/* What a parameter of this type can be passed */
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
 * objtrace_args_take() - whether a function has a parameter for pointers to a struct
 * @btf: has the function
 * @proto: its prototype's type
 * @tag: name of the struct
 *
 * In a register or not.
 *
 * Context: any.
 * Return: OBJTRACE_TAKES_STRUCT, if one is of that type; OBJTRACE_TAKES_VOID, if one is
 * of void *; both, or neither
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
