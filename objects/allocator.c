// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names of the allocator's functions, see objects/allocator.h.  The list covers all
 * supported kernels, whatever their version and configuration.
 *
 * These functions receive an address after the tracepoint of its free and before the
 * tracepoint of its allocation: while the memory is being freed, while it is in a list, and
 * while it is being allocated.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "functions/glob.h"
#include "objects/allocator.h"

/* Longer names cannot match: the names of the allocator's functions are short */
#define NAME_LEN	64

static const char * const patterns[] = {
	/* The API: functions that free, allocate, or return what an address is */
	"kfree", "kfree_const", "kfree_sensitive", "kfree_nolock", "kfree_bulk",
	"kvfree", "kvfree_*", "kfree_rcu_*", "kfree_call_rcu*", "__kfree_rcu_*",
	"defer_kfree_rcu*",
	"kmalloc", "kmalloc_*", "_kmalloc_*", "__kmalloc*", "___kmalloc_*", "krealloc*",
	"__do_krealloc", "ksize", "__ksize", "*kmem_cache_*", "*kmem_obj_info",
	"kmem_dump_obj", "kmem_valid_obj", "mem_dump_obj",

	/* The implementation of free and allocate */
	"__slab_*", "___slab_alloc", "do_slab_free", "slab_free*", "slab_alloc*",
	"slab_post_alloc_hook", "slab_pre_alloc_hook", "cache_from_obj", "virt_to_cache",
	"free_large_kmalloc", "free_to_*", "free_deferred_objects", "defer_free",
	"alloc_from_pcs*", "alloc_from_new_slab", "alloc_single_from_*", "get_freelist*",
	"get_partial*", "get_from_partial*", "get_from_any_partial", "*freepointer*",
	"freelist_ptr_*", "*slab_update_freelist", "*cmpxchg_double_slab",
	"__update_freelist_*", "__update_cpu_freelist_fast",
	"build_detached_freelist", "build_slab_freelist", "next_slab_obj",
	"maybe_wipe_obj_freeptr", "*_obj_ext*", "obj_exts_*", "memcg_alloc_abort_single",
	"memcg_slab_*", "__memcg_slab_*", "mem_cgroup_from_*obj*", "*alloc_tagging_slab_*",

	/* Allocate and free whole slabs */
	"allocate_slab", "new_slab*", "setup_object*", "shuffle_freelist",
	"next_freelist_entry", "free_slab", "__free_slab", "rcu_free_slab",
	"discard_slab", "deactivate_slab", "defer_deactivate_slab", "freeze_slab",
	"flush_slab", "put_cpu_partial", "*unfreeze_partials*", "*put_partials*",

	/* Sheaves: arrays of free objects */
	"*_sheaf", "*_sheaf_*", "barn_*", "__pcs_*", "*refill_objects*",

	/* Debug checks of memory: SLUB, KASAN, KFENCE, KMSAN, KCSAN, kmemleak */
	"init_object", "init_tracking", "set_track*", "get_track", "check_object*",
	"check_bytes_and_report", "check_slab", "check_valid_pointer", "slab_pad_check",
	"on_freelist", "*_debug_processing", "*_consistency_checks", "object_err",
	"restore_bytes", "fixup_red_left", "restore_red_left", "print_trailer",
	"print_tracking", "print_track", "get_orig_size", "set_orig_size", "slab_err",
	"slab_bug", "slab_fix", "add_full", "remove_full", "skip_orig_size_check",
	"warn_free_bad_obj", "__fill_map",
	"memchr_inv", "debug_check_no_*", "__debug_check_no_*", "kasan_*", "__kasan_*",
	"kfence_*", "__kfence_*", "check_canary*", "metadata_update_state", "kmsan_*",
	"__msan_*", "kcsan_*", "__kcsan_*", "kmemleak_*", "create_object",
	"__create_object", "__link_object", "delete_object_*", "find_and_*_object",
	"__find_and_*_object", "lookup_object", "__lookup_object", "mem_pool_alloc",
	"__phys_addr", "__virt_to_phys",

	/* Callees of the tracepoints: their other probes can run before ours or after ours */
	"*trace*_kfree", "*trace*_kmalloc", "__probestub_kfree", "__probestub_kmalloc",
	"bpf_trace_run*",
};

/**
 * objtrace_allocator_has() - check whether the allocator has a function
 * @symbol: name of the function, maybe with a suffix such as ".isra.0" that compilers add
 *
 * Takes about a microsecond.
 *
 * Context: any, NMI included.
 * Return: true if the function belongs to the allocator
 */
bool objtrace_allocator_has(const char *symbol)
{
	size_t len = strcspn(symbol, ".");
	char name[NAME_LEN];
	unsigned int i;

	if (len >= sizeof(name))
		return false;
	memcpy(name, symbol, len);
	name[len] = '\0';
	for (i = 0; i < ARRAY_SIZE(patterns); i++)
		if (objtrace_glob_match(patterns[i], name))
			return true;
	return false;
}
