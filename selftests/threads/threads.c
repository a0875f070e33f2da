// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads - write to a file from a second thread
 *
 *	threads FIFO FILE TEXT
 *
 * The thread starts at once.  It waits until another program opens FIFO for writing, and then writes
 * TEXT to FILE.  The exit status is 0, or the errno of the first failure.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static int write_text(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);

	if (file < 0 || write(file, text, strlen(text)) < 0)
		return errno;
	return close(file) ? errno : 0;
}

static void *run_thread(void *data)
{
	char **words = data;
	int fifo = open(words[1], O_RDONLY);

	return (void *)(intptr_t)(fifo < 0 ? errno : write_text(words[2], words[3]));
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *result = NULL;
	int ret = EINVAL;

	if (argc == 4)
		ret = pthread_create(&thread, NULL, run_thread, argv);
	if (!ret)
		ret = pthread_join(thread, &result);
	return ret ?: (int)(intptr_t)result;
}
