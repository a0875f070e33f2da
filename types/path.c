// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resolve member paths, and find names of members, see types/path.h.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/string.h>

#include "command/parse.h"
#include "kernel/member.h"
#include "objtrace_fetch.h"
#include "types/path.h"
#include "types/suggest.h"

/* Limit for an index of a flexible array, whose length BTF does not have */
#define MAX_FLEXIBLE	65536

/**
 * struct place - the position that a path leads to
 * @btf: the BTF
 * @spec: the command
 * @fetch: how to get to the target of the last pointer
 * @error: filled in if the path is wrong
 * @nr: number of the current component
 * @id: type of the value at the position
 * @bits: offset of the position in the target of the last pointer, in bits
 * @bit_size: size of the value if it is a bitfield, else 0
 * @owner: name of the innermost struct with a name
 * @keyword: C keyword before @owner, with a blank; or empty
 */
struct place {
	const struct btf		*btf;
	const struct objtrace_spec	*spec;
	struct objtrace_fetch		*fetch;
	struct objtrace_error		*error;
	unsigned int			nr;
	u32				id;
	u64				bits;
	unsigned int			bit_size;
	const char			*owner;
	const char			*keyword;
};

/**
 * struct component - one component of a path
 * @name: its first character; without a NUL at the end
 * @len: number of characters
 * @is_arrow: '->' stands before the component
 */
struct component {
	const char	*name;
	size_t		len;
	bool		is_arrow;
};

static bool next_component(struct component *c)
{
	const char *p = c->name + c->len;

	if (!*p)
		return false;
	c->is_arrow = p[0] == '-';
	if (c->is_arrow)
		p += strlen("->");
	else if (p[0] == '.')
		p++;
	c->name = p;
	c->len = strcspn(p, ".-");
	return true;
}

static int refuse_at_pos(struct place *at, enum objtrace_error_id id, unsigned int pos)
{
	char in[sizeof(at->error->in)];

	scnprintf(in, sizeof(in), "%s%s", at->keyword, at->owner);
	return objtrace_error_set_in(at->error, id, pos, in);
}

/* Refuse the current component */
static int refuse_component(struct place *at, enum objtrace_error_id id)
{
	return refuse_at_pos(at, id, at->spec->component_pos[at->nr]);
}

static bool is_index_digit(char c)
{
	return c >= '0' && c <= '9';
}

static unsigned int kind_at(const struct place *at)
{
	u32 id = at->id;
	const struct btf_type *t = objtrace_type_skip(at->btf, &id);

	return t ? kind_of(t) : BTF_KIND_UNKN;
}

static const struct {
	const char			*tag;
	enum objtrace_error_id	error;
} other_memory[] = {
	{ "user",	OBJTRACE_ERR_USER_POINTER },
	{ "percpu",	OBJTRACE_ERR_PERCPU_POINTER },
};

/* In kernels built by clang, BTF has tags of pointers that are no kernel addresses: refuse them */
static int check_target(struct place *at, u32 id)
{
	const struct btf_type *t;
	unsigned int depth, i;
	const char *tag;

	for (depth = 0; depth < OBJTRACE_TYPE_DEPTH; depth++) {
		t = id ? btf_type_by_id(at->btf, id) : NULL;
		if (!t || kind_of(t) != BTF_KIND_TYPE_TAG)
			return 0;
		tag = name_in(at->btf, t->name_off);
		for (i = 0; i < ARRAY_SIZE(other_memory); i++)
			if (!strcmp(other_memory[i].tag, tag))
				return refuse_component(at, other_memory[i].error);
		id = t->type;
	}
	return 0;
}

/* Refuse the value at the position: the error is at the component that led there */
static int refuse_value(struct place *at, enum objtrace_error_id id)
{
	return refuse_at_pos(at, id, at->nr ? at->spec->component_pos[at->nr - 1] :
					      at->spec->struct_pos);
}

/* Store the offset of the position, if it fits into an int */
static int set_offset(struct place *at, u64 byte)
{
	if (byte > INT_MAX)
		return refuse_value(at, OBJTRACE_ERR_OFFSET_RANGE);
	at->fetch->offset[at->fetch->nr - 1] = byte;
	return 0;
}

static int to_target(struct place *at)
{
	const struct btf_type *t = objtrace_type_skip(at->btf, &at->id);
	int ret;

	if (t && has_members(t))
		return refuse_component(at, OBJTRACE_ERR_DOT_NEEDED);
	if (t && kind_of(t) == BTF_KIND_ARRAY)
		return refuse_value(at, OBJTRACE_ERR_INDEX_NEEDED);
	if (!t || kind_of(t) != BTF_KIND_PTR)
		return refuse_component(at, OBJTRACE_ERR_NOT_A_POINTER);
	ret = check_target(at, t->type);
	if (ret)
		return ret;
	if (at->fetch->nr == OBJTRACE_MAX_DEREFS)
		return refuse_component(at, OBJTRACE_ERR_TOO_DEEP);

	ret = set_offset(at, at->bits / BITS_PER_BYTE);
	at->fetch->nr++;
	at->id = t->type;
	at->bits = 0;
	return ret;
}

static int to_element(struct place *at, const struct component *c)
{
	const struct btf_type *t = objtrace_type_skip(at->btf, &at->id);
	u64 index = 0;
	size_t i;

	if (t && kind_of(t) == BTF_KIND_PTR)
		return refuse_component(at, OBJTRACE_ERR_POINTER_INDEX);
	if (!t || kind_of(t) != BTF_KIND_ARRAY)
		return refuse_component(at, OBJTRACE_ERR_NOT_AN_ARRAY);
	for (i = 0; i < c->len; i++)
		index = index * 10 + (c->name[i] - '0');
	if (index >= (array_of(t)->nelems ?: MAX_FLEXIBLE))
		return refuse_component(at, OBJTRACE_ERR_INDEX_RANGE);

	at->id = array_of(t)->type;
	at->bits += index * objtrace_type_size_of(at->btf, at->id) * BITS_PER_BYTE;
	return 0;
}

static const char *keyword_of(const struct btf_type *t)
{
	if (kind_of(t) == BTF_KIND_TYPEDEF)
		return "";
	if (kind_of(t) == BTF_KIND_UNION ||
	    (kind_of(t) == BTF_KIND_FWD && BTF_INFO_KFLAG(t->info)))
		return "union ";
	return "struct ";
}

/*
 * Store the name of the struct or union at the position for error messages: its tag; without a
 * tag, its typedef.
 */
static void note_owner(struct place *at)
{
	const struct btf_type *t;
	const char *name;
	u32 id;

	for (id = at->id; ; id = t->type) {
		t = btf_type_by_id(at->btf, id);
		name = name_in(at->btf, t->name_off);
		if (name[0] && kind_of(t) != BTF_KIND_TYPE_TAG) {
			at->owner = name;
			at->keyword = keyword_of(t);
		}
		if (has_members(t) || kind_of(t) == BTF_KIND_FWD)
			return;
	}
}

static int refuse_member(struct place *at, const struct btf_type *t, const struct component *c)
{
	int ret = refuse_component(at, OBJTRACE_ERR_UNKNOWN_MEMBER);

	objtrace_suggest_member(at->btf, t, c->name, c->len, at->error);
	return ret;
}

static int to_member(struct place *at, const struct component *c)
{
	struct objtrace_member member;
	const struct btf_type *t;
	u32 id = at->id;

	t = objtrace_type_skip(at->btf, &id);
	if (!t)
		return refuse_component(at, OBJTRACE_ERR_NOT_A_STRUCT);
	switch (kind_of(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		break;
	case BTF_KIND_FWD:
		note_owner(at);
		return refuse_component(at, OBJTRACE_ERR_INCOMPLETE_STRUCT);
	case BTF_KIND_PTR:
		return refuse_component(at, c->is_arrow ? OBJTRACE_ERR_NOT_A_STRUCT :
							  OBJTRACE_ERR_ARROW_NEEDED);
	case BTF_KIND_ARRAY:
		return refuse_value(at, OBJTRACE_ERR_INDEX_NEEDED);
	default:
		return refuse_component(at, OBJTRACE_ERR_NOT_A_STRUCT);
	}

	note_owner(at);
	if (!objtrace_member_find(at->btf, t, c->name, c->len, &member))
		return refuse_member(at, t, c);
	at->id = member.type;
	at->bits += member.bits;
	at->bit_size = member.bit_size;
	return 0;
}

static int follow_component(struct place *at, const struct component *c)
{
	int ret = c->is_arrow ? to_target(at) : 0;

	if (ret)
		return ret;
	return is_index_digit(c->name[0]) ? to_element(at, c) : to_member(at, c);
}

static int refuse_type(struct place *at, enum objtrace_error_id id)
{
	return refuse_at_pos(at, id, at->spec->type_pos);
}

/**
 * objtrace_fetch_set_type() - set the size, the sign and the format of a value from TYPE
 * @fetch: gets these members
 * @type: any type except OBJTRACE_TYPE_DEFAULT
 *
 * Context: any, NMI included.
 */
void objtrace_fetch_set_type(struct objtrace_fetch *fetch, enum objtrace_type type)
{
	fetch->size = objtrace_type_size(type);
	fetch->is_signed = false;
	switch (type) {
	case OBJTRACE_TYPE_S8:
	case OBJTRACE_TYPE_S16:
	case OBJTRACE_TYPE_S32:
	case OBJTRACE_TYPE_S64:
		fetch->is_signed = true;
		fetch->format = OBJTRACE_FORMAT_SIGNED;
		break;
	case OBJTRACE_TYPE_CHAR:
		fetch->format = OBJTRACE_FORMAT_CHAR;
		break;
	case OBJTRACE_TYPE_SYMBOL:
		fetch->format = OBJTRACE_FORMAT_SYMBOL;
		break;
	default:
		fetch->format = OBJTRACE_FORMAT_HEX;
	}
}

/* Apply the command's TYPE to the first bytes at the position, if the value has enough bytes */
static int set_written_type(struct place *at, unsigned int bytes)
{
	enum objtrace_type type = at->spec->type;

	if (at->bit_size)
		return refuse_type(at, OBJTRACE_ERR_BITFIELD_TYPE);
	if (!bytes && kind_at(at) == BTF_KIND_ARRAY)
		return refuse_value(at, OBJTRACE_ERR_INDEX_NEEDED);
	if (type == OBJTRACE_TYPE_SYMBOL && bytes < sizeof(void *))
		return refuse_type(at, OBJTRACE_ERR_SYMBOL_SIZE);
	if (objtrace_type_size(type) > bytes)
		return refuse_type(at, OBJTRACE_ERR_TYPE_TOO_WIDE);
	objtrace_fetch_set_type(at->fetch, type);
	return 0;
}

/* Whether char has a sign depends on the architecture and the kernel, so compare its name */
static void set_integer(struct place *at, const struct btf_type *t)
{
	unsigned int encoding = BTF_INT_ENCODING(*(const u32 *)(t + 1));
	struct objtrace_fetch *fetch = at->fetch;

	if (encoding & BTF_INT_CHAR || !strcmp(name_in(at->btf, t->name_off), "char")) {
		fetch->format = OBJTRACE_FORMAT_CHAR;
	} else if (encoding & BTF_INT_SIGNED) {
		fetch->format = OBJTRACE_FORMAT_SIGNED;
		fetch->is_signed = true;
	}
}

static int set_type(struct place *at, unsigned int bytes)
{
	const struct btf_type *t = objtrace_type_skip(at->btf, &at->id);
	struct objtrace_fetch *fetch = at->fetch;

	switch (t ? kind_of(t) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
		set_integer(at, t);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		fetch->format = OBJTRACE_FORMAT_ENUM;
		fetch->is_signed = BTF_INFO_KFLAG(t->info);
		fetch->enum_id = at->id;
		break;
	case BTF_KIND_PTR:
		break;
	case BTF_KIND_ARRAY:
		return refuse_value(at, OBJTRACE_ERR_INDEX_NEEDED);
	default:
		return refuse_value(at, OBJTRACE_ERR_NOT_A_VALUE);
	}
	if (bytes > sizeof(u64) || !is_power_of_2(bytes))
		return refuse_value(at, OBJTRACE_ERR_NOT_A_VALUE);
	fetch->size = bytes;
	return 0;
}

/* Without a path, read the first 8 bytes of the object, or fewer if it is smaller */
static int set_first_bytes(struct place *at, unsigned int bytes)
{
	if (!bytes)
		return refuse_value(at, OBJTRACE_ERR_NOT_A_VALUE);
	at->fetch->size = rounddown_pow_of_two(min_t(unsigned int, bytes, sizeof(u64)));
	return 0;
}

/*
 * Returns the size in bytes of the smallest word that holds @nr bits from bit @first on, or 0.
 * The word is aligned; or it starts at the byte of the first bit.
 */
static unsigned int word_size(u64 first, unsigned int nr, bool aligned)
{
	unsigned int size;

	for (size = 1; size <= sizeof(u64); size *= 2)
		if (first % ((aligned ? size : 1) * BITS_PER_BYTE) + nr <=
		    size * BITS_PER_BYTE)
			return size;
	return 0;
}

/* Compilers put a bitfield into one aligned word, unless its struct is packed */
static int set_bitfield(struct place *at)
{
	unsigned int nr = at->bit_size ?: at->fetch->size * BITS_PER_BYTE;
	unsigned int size = word_size(at->bits, nr, true);
	unsigned int shift = at->bits % ((size ?: 1) * BITS_PER_BYTE);

	at->fetch->size = size ?: word_size(at->bits, nr, false);
	if (!at->fetch->size)
		return refuse_value(at, OBJTRACE_ERR_NOT_A_VALUE);
	at->fetch->bit_offset = shift;
	at->fetch->bit_size = nr;
	return set_offset(at, (at->bits - shift) / BITS_PER_BYTE);
}

/* Check for a pointer that the command shows as a pointer */
static bool is_pointer(const struct place *at)
{
	return at->nr && at->spec->type == OBJTRACE_TYPE_DEFAULT && kind_at(at) == BTF_KIND_PTR;
}

static int set_value(struct place *at)
{
	unsigned int bytes = objtrace_type_size_of(at->btf, at->id);
	int ret;

	if (at->spec->type != OBJTRACE_TYPE_DEFAULT)
		ret = set_written_type(at, bytes);
	else if (!at->nr)
		ret = set_first_bytes(at, bytes);
	else
		ret = set_type(at, bytes);
	if (ret)
		return ret;
	if (at->spec->enum_name[0] && is_pointer(at))
		return refuse_at_pos(at, OBJTRACE_ERR_ENUM_TYPE, at->spec->enum_pos);
	if (at->bit_size || at->bits % BITS_PER_BYTE)
		return set_bitfield(at);
	return set_offset(at, at->bits / BITS_PER_BYTE);
}

/**
 * objtrace_path_resolve() - translate the path of a command to offsets
 * @btf: BTF of the object's struct
 * @id: the struct or union
 * @spec: the command, with its path, type and size; the path may be empty
 * @fetch: filled in, without the number of the BTF
 * @error: filled in on failure, with the column and the struct of the error
 *
 * Without a TYPE, size and format come from the member.  A pointer is shown in hexadecimal, and
 * so are the object's first bytes if the path is empty.  A TYPE that is narrower than the member
 * reads the first bytes, which are the lowest.
 *
 * Context: task.
 * Return: 0, or the negative errno of @error
 */
int objtrace_path_resolve(const struct btf *btf, u32 id,
			  const struct objtrace_spec *spec,
			  struct objtrace_fetch *fetch,
			  struct objtrace_error *error)
{
	struct component c = { .name = spec->path };
	struct place at = {
		.btf = btf, .spec = spec, .fetch = fetch, .error = error, .id = id,
	};
	int ret;

	memset(fetch, 0, sizeof(*fetch));
	fetch->nr = 1;
	fetch->struct_id = id;
	fetch->struct_size = btf_type_by_id(btf, id)->size;
	note_owner(&at);
	if (spec->size_form == OBJTRACE_SIZE_AUTO &&
	    (!fetch->struct_size || fetch->struct_size > INT_MAX))
		return refuse_at_pos(&at, OBJTRACE_ERR_SIZE_RANGE, spec->size_pos);
	for (; at.nr < spec->nr_components && next_component(&c); at.nr++) {
		ret = follow_component(&at, &c);
		if (ret)
			return ret;
	}
	return set_value(&at);
}

/**
 * struct naming - a member's name that is being printed
 * @btf: the BTF
 * @buf: the output
 * @size: size of @buf in bytes
 * @len: length of the name so far
 */
struct naming {
	const struct btf	*btf;
	char			*buf;
	size_t			size;
	int			len;
};

static bool name_member(struct naming *out, const struct btf_type *t, u64 byte,
			unsigned int depth);

/* Append the name inside of a struct, union or array.  Returns false if nothing is appended. */
static bool name_inside(struct naming *out, u32 id, u64 byte, unsigned int depth)
{
	const struct btf_type *t = objtrace_type_skip(out->btf, &id);
	unsigned int size;

	if (!t || !depth)
		return false;
	if (has_members(t))
		return name_member(out, t, byte, depth - 1);
	if (kind_of(t) != BTF_KIND_ARRAY)
		return false;
	size = objtrace_type_size_of(out->btf, array_of(t)->type);
	if (!size)
		return false;
	out->len += scnprintf(out->buf + out->len, out->size - out->len, ".%u",
			      (unsigned int)(byte / size));
	name_inside(out, array_of(t)->type, byte % size, depth - 1);
	return true;
}

/* A flexible array reaches to the end of the object */
static bool is_flexible(const struct btf *btf, u32 id)
{
	const struct btf_type *t = objtrace_type_skip(btf, &id);

	return t && kind_of(t) == BTF_KIND_ARRAY && !array_of(t)->nelems;
}

static bool member_holds(const struct btf *btf, const struct objtrace_member *member, u64 byte,
			 bool is_last)
{
	u64 bits = member->bit_size ?:
		   (u64)objtrace_type_size_of(btf, member->type) * BITS_PER_BYTE;

	if (byte < member->bits / BITS_PER_BYTE)
		return false;
	/* An array without elements that is not the last member holds no byte */
	return byte * BITS_PER_BYTE < member->bits + bits ||
	       (is_last && is_flexible(btf, member->type));
}

/* Append the first member that holds the byte and has a name for it */
static bool name_member(struct naming *out, const struct btf_type *t, u64 byte,
			unsigned int depth)
{
	unsigned int i, nr = BTF_INFO_VLEN(t->info);
	struct objtrace_member member;
	const char *name;
	u64 inner;

	for (i = 0; i < nr; i++) {
		objtrace_member_at(out->btf, t, i, &member);
		if (!member_holds(out->btf, &member, byte, i == nr - 1))
			continue;
		inner = byte - member.bits / BITS_PER_BYTE;
		name = name_in(out->btf, members_of(t)[i].name_off);
		if (name[0]) {
			out->len += scnprintf(out->buf + out->len, out->size - out->len,
					      "%s%s", out->len ? "." : "", name);
			name_inside(out, member.type, inner, depth);
			return true;
		}
		if (name_inside(out, member.type, inner, depth))
			return true;
	}
	return false;
}

/**
 * objtrace_path_name() - find the name of the member at an offset
 * @btf: BTF of the struct
 * @id: the struct or union
 * @offset: bytes from the start of the struct
 * @buf: set to the path of the innermost member, such as a.b.2.c
 * @size: size of @buf in bytes, at least 1; a longer name is cut off
 *
 * Context: any, NMI included; the caller keeps @btf from being freed.
 * Return: length of the name; 0 if no member holds the byte
 */
int objtrace_path_name(const struct btf *btf, u32 id, unsigned int offset,
		       char *buf, size_t size)
{
	struct naming out = { .btf = btf, .buf = buf, .size = size };
	const struct btf_type *t = btf_type_by_id(btf, id);

	buf[0] = '\0';
	/* @btf can be another one, as for objtrace_enum_name() */
	if (t && has_members(t))
		name_member(&out, t, offset, OBJTRACE_TYPE_DEPTH);
	return out.len;
}
