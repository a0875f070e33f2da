// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel of kernel.c, with the structs that objtrace(1) knows by name, for fuzz.sh.
 */
#include "kernel.c"

struct qstr {
	unsigned int hash;
	const char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
};

struct path {
	void *mnt;
	struct dentry *dentry;
};

struct file {
	struct path f_path;
	long long f_pos;
};

struct block_device {
	unsigned long bd_start_sect;
	unsigned int bd_dev;
};

struct bvec_iter {
	unsigned long bi_sector;
	unsigned int bi_size;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned char bi_status;
	struct bvec_iter bi_iter;
};

struct sock_common {
	unsigned char skc_state;
};

struct sock {
	struct sock_common __sk_common;
};

struct tcp_sock {
	struct {
		struct sock sk;
	} inet_conn;
};

int vfs_open(const struct path *path, struct file *file) { return 0; }
struct file *file_find(struct dentry *dentry) { return 0; }
void submit_bio_noacct_nocheck(struct bio *bio) { }
void bio_endio(struct bio *bio) { }
void tcp_close(struct tcp_sock *sk, long timeout) { }
int __traceiter_block_bio_queue(void *data, struct bio *bio) { return 0; }
