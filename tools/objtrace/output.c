// SPDX-License-Identifier: GPL-2.0-only
/*
 * A long report takes seconds to write.  A terminal shows the lines themselves, and the reader of a
 * pipe controls the terminal, so only a file gets a progress line.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/objtrace/output.h"
#include "tools/objtrace/progress.h"

#define BYTES_PER_MB	1000000

/* Few writes, because each write looks at the clock.  The stream uses the buffer until its end. */
static char buffer[65536];

struct output {
	int			fd;
	unsigned long long	written;
	struct progress		progress;
};

static ssize_t write_part(void *cookie, const char *data, size_t size)
{
	struct output *output = cookie;
	size_t done = 0;
	ssize_t nr;

	while (done < size) {
		nr = write(output->fd, data + done, size - done);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return 0;
		done += nr;
	}
	output->written += size;
	progress_show(&output->progress, output->written / BYTES_PER_MB);
	return size;
}

static int close_file(void *cookie)
{
	struct output *output = cookie;
	int ret = close(output->fd);

	progress_end(&output->progress);
	free(output);
	return ret;
}

static FILE *open_file(int fd, const char *path)
{
	cookie_io_functions_t functions = { .write = write_part, .close = close_file };
	struct output *output = calloc(1, sizeof(*output));
	FILE *file = NULL;

	if (output) {
		output->fd = fd;
		progress_start(&output->progress, "MB of", path, "written");
		file = fopencookie(output, "w", functions);
	}
	if (file)
		setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	else
		free(output);
	return file;
}

/**
 * output_open() - open the stream of a report
 * @fd: descriptor of the output, which the stream closes
 * @path: path of the output, for the progress line; it must outlive the stream
 *
 * Return: the stream, or NULL with errno set.
 */
FILE *output_open(int fd, const char *path)
{
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return open_file(fd, path);
	return fdopen(fd, "w");
}
