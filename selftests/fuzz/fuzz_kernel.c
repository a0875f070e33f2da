// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_kernel - change the tracing state at random, by four threads at once
 *
 *	fuzz_kernel SEED STEPS MODULES LOG	perform STEPS steps in each thread
 *	fuzz_kernel -n SEED STEPS		print these steps, and perform none
 *
 * A step writes a command, changes a probe, an instance or a setting, loads or unloads a module, or
 * uses an open file: step.h lists all.  The steps of a thread depend on the seed alone, so a run
 * can be repeated.  Only the order among the threads differs.  MODULES is the directory with
 * objtrace.ko and objtrace_target.ko.  LOG is a file for the last steps, see log.c.
 *
 * The program prints how often the kernel accepted and refused each kind of step, and the time of
 * these steps.  If a step lasts too long, the program makes the kernel print all blocked tasks, and
 * panic.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "selftests/fuzz/log.h"
#include "selftests/fuzz/perform.h"

#define THREADS		4
/*
 * A busy host stops an emulated machine for many seconds.  Its clock can also be several times too
 * fast, because the kernel measured the TSC while the host was busy.
 */
#define STUCK_SECONDS	900
#define TRACEFS		"/sys/kernel/tracing"

struct thread {
	pthread_t id;
	unsigned int nr;
	unsigned int seed;
	unsigned int steps;
	atomic_uint done;	/* number of steps that ended */
	unsigned int accepted[NR_STEP_OPS], refused[NR_STEP_OPS];
	double seconds[NR_STEP_OPS];
};

static struct thread threads[THREADS];

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void *run_thread(void *data)
{
	struct thread *thread = data;
	struct random r;
	struct step s;
	double from, seconds;
	bool is_done;
	unsigned int i;

	random_start(&r, thread->seed, thread->nr);
	for (i = 0; i < thread->steps; i++) {
		step_make(&r, &s);
		log_begin(thread->nr, i, &s);
		from = now();
		is_done = perform(&s);
		seconds = now() - from;
		log_end(thread->nr, is_done, seconds);
		thread->seconds[s.op] += seconds;
		(is_done ? thread->accepted : thread->refused)[s.op]++;
		atomic_fetch_add(&thread->done, 1);
	}
	return NULL;
}

static void write_once(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void panic_stuck(const struct thread *thread)
{
	char line[128];

	snprintf(line, sizeof(line), "fuzz_kernel: seed %u: step %u of thread %u is stuck\n",
		 thread->seed, thread->done, thread->nr);
	fputs(line, stderr);
	write_once("/dev/kmsg", line);
	write_once("/proc/sysrq-trigger", "w");
	write_once("/proc/sysrq-trigger", "c");
	abort();
}

static unsigned long signal_pc(const ucontext_t *context)
{
#ifdef __x86_64__
	return context->uc_mcontext.gregs[REG_RIP];
#else
	return context->uc_mcontext.pc;
#endif
}

/*
 * The kernel does not log each signal of which a task dies.  The place is relative to run_thread(),
 * because the program has no fixed address.  The handler is reset, so the signal ends the program.
 */
static void tell_signal(int sig, siginfo_t *info, void *context)
{
	char line[160];

	snprintf(line, sizeof(line), "fuzz_kernel: signal %d, code %d, address %#lx, at run_thread%+ld\n",
		 sig, info->si_code, (unsigned long)info->si_addr,
		 (long)(signal_pc(context) - (unsigned long)run_thread));
	fputs(line, stderr);
	write_once("/dev/kmsg", line);
	raise(sig);
}

static void tell_signals(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
	struct sigaction action = { .sa_sigaction = tell_signal,
				    .sa_flags = SA_SIGINFO | SA_RESETHAND };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

/* Wait until all threads did all of their steps */
static void watch_threads(void)
{
	unsigned int seen[THREADS] = {}, idle[THREADS] = {}, i, done, left;

	do {
		left = 0;
		sleep(1);
		for (i = 0; i < THREADS; i++) {
			done = atomic_load(&threads[i].done);
			idle[i] = done == seen[i] ? idle[i] + 1 : 0;
			seen[i] = done;
			if (done == threads[i].steps)
				continue;
			left++;
			if (idle[i] >= STUCK_SECONDS)
				panic_stuck(&threads[i]);
		}
	} while (left);
}

static void print_totals(void)
{
	enum step_op op;
	unsigned int i;

	for (op = 0; op < NR_STEP_OPS; op++) {
		unsigned int accepted = 0, refused = 0;
		double seconds = 0;

		for (i = 0; i < THREADS; i++) {
			accepted += threads[i].accepted[op];
			refused += threads[i].refused[op];
			seconds += threads[i].seconds[op];
		}
		printf("%s: %u accepted, %u refused, %.1f s\n", step_op_name(op), accepted, refused,
		       seconds);
	}
}

static void run(unsigned int seed, unsigned int steps, const char *modules, const char *path)
{
	char line[128];
	unsigned int i;

	if (!log_open(path, THREADS)) {
		perror(path);
		exit(2);
	}
	snprintf(line, sizeof(line), "fuzz_kernel: seed %u, %u threads with %u steps\n", seed,
		 THREADS, steps);
	fputs(line, stdout);
	fflush(stdout);
	write_once("/dev/kmsg", line);
	perform_start(TRACEFS, modules);
	for (i = 0; i < THREADS; i++) {
		threads[i].nr = i;
		threads[i].seed = seed;
		threads[i].steps = steps;
		if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i])) {
			fputs("fuzz_kernel: no thread\n", stderr);
			exit(2);
		}
	}
	watch_threads();
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	perform_end();
	write_once("/dev/kmsg", "fuzz_kernel: end\n");
	print_totals();
}

static void print_steps(unsigned int seed, unsigned int steps)
{
	char line[4 * STEP_DATA + 256];
	unsigned int i, nr;
	struct random r;
	struct step s;

	for (nr = 0; nr < THREADS; nr++) {
		random_start(&r, seed, nr);
		for (i = 0; i < steps; i++) {
			struct text t = text_start(line, sizeof(line));

			step_make(&r, &s);
			step_print(&s, &t);
			printf("%u %u %s\n", nr, i, line);
		}
	}
}

int main(int argc, char **argv)
{
	bool is_print = argc == 4 && !strcmp(argv[1], "-n");

	if (!is_print && argc != 5) {
		fputs("usage: fuzz_kernel SEED STEPS MODULES LOG | fuzz_kernel -n SEED STEPS\n", stderr);
		return 2;
	}
	/* Tasks that tracing kills must not take the program along */
	signal(SIGPIPE, SIG_IGN);
	tell_signals();
	if (is_print)
		print_steps(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
	else
		run(strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argv[3], argv[4]);
	return 0;
}
