// SPDX-License-Identifier: GPL-2.0-only
/*
 * objtrace_allocator_has() finds the allocator's functions of several kernels, and no other
 * function with a similar name.
 */
#include <linux/kernel.h>

#include "objects/allocator.h"
#include "tap.h"

/* Functions that receive a free address in some kernel */
static const char * const own[] = {
	"kfree", "kfree_const", "kfree_sensitive", "kfree_nolock", "kvfree", "kvfree_rcu_cb",
	"kvfree_rcu_bulk", "kfree_rcu_work", "kvfree_call_rcu", "kmem_cache_free",
	"kmem_cache_free_bulk", "__kmem_cache_free", "__kmem_cache_free_bulk", "__slab_free",
	"do_slab_free", "slab_free_after_rcu_debug", "___slab_alloc", "free_to_partial_list",
	"free_to_pcs_bulk", "setup_object", "init_object", "memcg_slab_post_alloc_hook",
	"__memcg_slab_post_alloc_hook", "__memcg_slab_free_hook", "deactivate_slab",
	"alloc_debug_processing", "free_debug_processing", "check_object", "on_freelist",
	"kfence_guarded_free", "__kfence_free", "kfence_ksize", "__kasan_slab_free",
	"__kasan_slab_alloc", "kasan_save_free_info", "kmemleak_free", "delete_object_full",
	"find_and_remove_object", "__link_object", "__alloc_tagging_slab_alloc_hook",
	"alloc_tagging_slab_free_hook", "debug_check_no_obj_freed",
	"debug_check_no_locks_freed", "krealloc_noprof", "ksize", "rcu_free_sheaf",
	"__rcu_free_sheaf_prepare", "__pcs_replace_full_main", "barn_put_full_sheaf",
	"free_large_kmalloc", "memchr_inv", "trace_event_raw_event_kfree",
	"perf_trace_kmem_cache_alloc", "__traceiter_kmalloc", "__bpf_trace_kfree",
	"bpf_trace_run3",
};

static const char * const clones[] = {
	"setup_object.isra.0", "__slab_free.constprop.0", "build_detached_freelist.part.0",
	"kvfree_rcu_list.isra.12", "cmpxchg_double_slab.constprop.0.isra.0",
	"slab_update_freelist.isra.0",
};

static const char * const others[] = {
	"", ".isra.0", "free", "kfree_skb", "kfree_skb_reason", "kfree_skbmem", "kfree_link",
	"devm_kfree", "mempool_free", "mempool_alloc_slab", "slab_build_skb", "bio_free",
	"free_bio", "kvm_vcpu_kick", "sock_kfree_s", "trace_event_raw_event_kfree_skb",
	"__traceiter_kfree_skb", "perf_trace_kfree_skb", "trace_event_raw_event_kvm_entry",
	"free_pages", "__free_pages", "security_file_free", "file_free", "shrink_slab",
	"kobject_put", "vfree", "call_rcu", "ott_free_it", "ott_take", "memcpy", "memset",
	"kmem_a_name_of_more_than_sixty_three_characters_that_is_in_no_kernel_cache_free",
};

static bool all_are(const char * const names[], unsigned int nr, bool wanted)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < nr; i++) {
		if (objtrace_allocator_has(names[i]) == wanted)
			continue;
		wrong++;
		printf("# %s\n", names[i]);
	}
	return !wrong;
}

int main(void)
{
	ok(all_are(own, ARRAY_SIZE(own), true), "the allocator's functions are known");
	ok(all_are(clones, ARRAY_SIZE(clones), true), "clones of these functions are known");
	ok(all_are(others, ARRAY_SIZE(others), false), "functions with a similar name are not");
	return tap_done();
}
