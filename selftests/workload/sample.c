// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of an invented kernel, for their BTF.  sample.py writes traces of these functions.
 */
struct ws_object {
	long				number;
	union {
		struct ws_object	*next;
		long			last;
	};
};

struct ws_pair {
	int	number;
	void	*pointer;
};

struct ws_large {
	void	*pointers[4];
};

void ws_put(struct ws_object *object)
{
	object->number--;
}

long ws_second(int number, const struct ws_object *object)
{
	return object->number + number;
}

void *ws_void(void *object)
{
	return object;
}

unsigned long ws_address(unsigned long address, unsigned char shift)
{
	return address << shift;
}

/* The object is in the second and the third register */
long ws_pair(struct ws_pair pair, struct ws_object *object)
{
	return pair.number + object->number;
}

/* In the first register on x86-64, in the second one on arm64 */
long ws_large(struct ws_large large, struct ws_object *object)
{
	return object->number + (large.pointers[0] != object);
}

int ws_print(const char *format, ...)
{
	return *format;
}

int ws_nothing(void)
{
	return 0;
}

/* In the symbols of sample.py, two functions have this name */
void ws_twin(struct ws_object *object)
{
	object->number++;
}

void ws_cloned(struct ws_object *object)
{
	object->number++;
}

/* test.sh gives ws_bosh and ws_some the name of the function in front of each */
void ws_both(struct ws_object *object)
{
	object->number++;
}

void ws_bosh(const struct ws_object *object, long number)
{
	(void)(object->number + number);
}

void ws_same(struct ws_object *object)
{
	object->number++;
}

void ws_some(int number, struct ws_object *object)
{
	object->number += number;
}
