// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of the kernel with addresses of objects: the table, the addresses and the texts.
 */
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/context.h"
#include "tap.h"

#define ADDRESS		0xff00000000001000ULL
#define FUNCTION	0xffffffff81000000ULL

#define COMMON(name, id)							\
	"name: " name "\nID: " #id "\nformat:\n"					\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const struct {
	const char	*system;
	const char	*format;
} formats[] = {
	{ "skb",
	  COMMON("kfree_skb", 1)
	  "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:void * location;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:int reason;\toffset:24;\tsize:4;\tsigned:0;\n\n"
	  "print fmt: \"skbaddr=%p location=%pS reason: %s\", REC->skbaddr, REC->location, "
	  "__print_symbolic(REC->reason, { 2, \"NO_SOCKET\" })\n" },
	{ "tcp",
	  COMMON("tcp_retransmit_skb", 2)
	  "\tfield:const void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:const void * skaddr;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:char state[4];\toffset:24;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"state=%s\", REC->state\n" },
	{ "objtrace_12_345",
	  COMMON("bio_endio", 3)
	  "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:u64 object;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 bytes;\toffset:24;\tsize:4;\tsigned:0;\n\n"
	  "print fmt: \"(%lx) object=0x%Lx bytes=%u\", REC->__probe_ip, REC->object, REC->bytes\n" },
	/* Not in the table: another system, another name, and a field that is no address */
	{ "mine",
	  COMMON("kfree_skb", 4)
	  "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"%p\", REC->skbaddr\n" },
	{ "skb",
	  COMMON("consume_skb", 5)
	  "\tfield:void * skbaddr;\toffset:8;\tsize:8;\tsigned:0;\n\n"
	  "print fmt: \"%p\", REC->skbaddr\n" },
	{ "sock",
	  COMMON("inet_sock_set_state", 6)
	  "\tfield:int skaddr;\toffset:8;\tsize:4;\tsigned:1;\n\n"
	  "print fmt: \"%d\", REC->skaddr\n" },
};

struct bytes {
	unsigned short	type;
	unsigned short	unused;
	int		pid;
	unsigned long	one;
	unsigned long	two;
	int		number;
};

static void check(const struct contexts *contexts, struct bytes bytes, int size, const char *wanted)
{
	struct tep_record raw = { .size = size, .data = &bytes };
	char *seen = NULL, *text;
	unsigned long long address;
	int position = 0;
	size_t len;
	FILE *out = open_memstream(&seen, &len);

	while (contexts_next(contexts, &raw, &position, &address)) {
		text = contexts_text(contexts, &raw);
		fprintf(out, "0x%llx %s;", address, text);
		free(text);
	}
	fclose(out);
	ok(!strcmp(seen, wanted), "event %d with %d bytes: %s", bytes.type, size, seen);
	free(seen);
}

int main(void)
{
	struct tep_handle *tep = tep_alloc();
	struct contexts contexts;
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		tep_parse_event(tep, formats[i].format, strlen(formats[i].format),
				formats[i].system);
	tep_register_function(tep, "f", FUNCTION, NULL);
	tep_register_function(tep, "end", FUNCTION + 0x100, NULL);
	tep_set_long_size(tep, sizeof(long));
	contexts_find(&contexts, tep);
	ok(contexts.nr == 4, "%d fields of known events have addresses", contexts.nr);
	check(&contexts, (struct bytes){ 1, 0, 7, ADDRESS, FUNCTION + 4, 2 }, 28,
	      "0xff00000000001000 kfree_skb: skbaddr=0xff00000000001000 location=f+0x4 reason: NO_SOCKET;");
	check(&contexts, (struct bytes){ 1, 0, 7, ADDRESS, FUNCTION + 4, 2 }, 27, "");
	check(&contexts, (struct bytes){ 1 }, 4, "");
	check(&contexts, (struct bytes){ 2, 0, 7, ADDRESS, ADDRESS + 8, 0x62ff0961 }, 28,
	      "0xff00000000001000 tcp_retransmit_skb: state=a??b;"
	      "0xff00000000001008 tcp_retransmit_skb: state=a??b;");
	check(&contexts, (struct bytes){ 3, 0, 7, FUNCTION, ADDRESS, 512 }, 28,
	      "0xff00000000001000 bio_endio: bytes=512;");
	check(&contexts, (struct bytes){ 4, 0, 7, ADDRESS }, 28, "");
	check(&contexts, (struct bytes){ 5, 0, 7, ADDRESS }, 28, "");
	check(&contexts, (struct bytes){ 6, 0, 7, ADDRESS }, 28, "");
	tep_free(tep);
	return tap_done();
}
