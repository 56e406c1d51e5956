/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the mapping at an address of the current process in the kernel's own tree of mappings
 * (6.1). So a program that has just started, or has just loaded a library, is walked by the tables
 * of files that other processes have mapped, and never by those of a library that it replaced.
 *
 * The tree is read in its current state, without a lock, as no lock can be taken in an interrupt.
 * Nodes that are replaced stay for a grace period. A mapping is accepted if it contains the
 * address.
 */
#ifndef TOPSTACKS_KERN_UNWIND_MAPPINGS_BPF_H
#define TOPSTACKS_KERN_UNWIND_MAPPINGS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stdbool.h>

#include "maps/maps.bpf.h"
#include "maps/reads.bpf.h"
#include "maps/unwind_maps.bpf.h"
#include "topstacks/hash.h"
#include "topstacks/unwind_abi.h"

#define MAX_LEVELS 6 /* depth of a tree with at least ten branches a node */

/*
 * Returns low, plus step if excess <= 0, without a branch, which would be unpredictable for the CPU
 * and double the paths for the verifier, which also follows masks. Uses an addition, as 6.1 does
 * not track the range of an or.
 */
static __always_inline __u64 take_step(__u64 low, __u64 step, __s64 excess)
{
	__u64 is_taken = (__u64)(excess - 1) >> 63;

	asm volatile("" : "+r"(is_taken), "+r"(low));
	return low + is_taken * step;
}

/*
 * Returns the slot, below nr, of an address that is not 0 and below 2^63. A pivot is the last
 * address of its slot, or 0 if it and all later ones are unused.
 */
static __always_inline __u64 find_slot(const __u64 *pivots, __u32 nr, __u64 address)
{
	__u64 slot = 0, pivot;
	__u32 half;

	for (; nr > 1; nr -= half) {
		half = nr / 2;
		pivot = pivots[slot + half - 1];
		slot = take_step(slot, half, 1 - (__s64)(((pivot - address) & -pivot) >> 63));
	}
	return slot;
}

/* A global function, as find_row (unwind.bpf.h), so that it is verified once. */
__weak __noinline __u64 find_child(const struct tree_walk *tree, __u32 type, __u64 address)
{
	if (!tree)
		return 0;
	if (type == MAPLE_ARANGE_64)
		return tree->node.arange.slot[find_slot(tree->node.arange.pivot, 10, address)];
	return tree->node.range.slot[find_slot(tree->node.range.pivot, 16, address)];
}

/* Searches the tree. entry: its root. NULL: nothing is mapped there, or the tree is unusual. */
static __always_inline struct vm_area_struct *find_vma(struct tree_walk *tree, __u64 entry,
						       __u64 address)
{
	__u32 level, type;

	for (level = 0; level < MAX_LEVELS; level++) {
		type = entry >> 3 & 15;
		if (entry <= 4096 || !type || type > MAPLE_ARANGE_64 ||
		    bpf_probe_read_kernel(&tree->node, sizeof(tree->node),
					  (void *)(entry & ~255ULL)))
			return NULL;
		entry = find_child(tree, type, address);
		if (type == MAPLE_LEAF_64)
			return (struct vm_area_struct *)entry;
	}
	return NULL;
}

/* Reads the head of a struct with one helper call; HEAD_FIELD then picks the fields. */
#define READ_HEAD(tree, from)                                                  \
	bpf_probe_read_kernel((tree)->node.head,                               \
			      bpf_core_type_size(typeof(*(from))) < HEAD_BYTES \
				      ? bpf_core_type_size(typeof(*(from)))    \
				      : HEAD_BYTES,                            \
			      from)

/*
 * A field, of 8 bytes at most, of the struct whose head was read. If a kernel has it further
 * behind, the value is all ones, which matches nothing.
 */
#define HEAD_FIELD(tree, from, field)                                               \
	(bpf_core_field_offset((from)->field) + sizeof(__u64) <= HEAD_BYTES         \
		 ? *(typeof((from)->field) *)((tree)->node.head +                   \
					      bpf_core_field_offset((from)->field)) \
		 : (typeof((from)->field))~0ULL)

static __always_inline bool read_identity(struct tree_walk *tree, struct file *file, __u64 offset)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	struct unwind_mapping_key *key = &tree->key;
	struct super_block *super;
	__u32 device;

	if (READ_HEAD(tree, inode))
		return false;
	super = HEAD_FIELD(tree, inode, i_sb);
	device = BPF_PROBE_READ(super, s_dev);
	key->inode = HEAD_FIELD(tree, inode, i_ino);
	key->nr_bytes = HEAD_FIELD(tree, inode, i_size);
	key->major = device >> 20;
	key->minor = device & ((1 << 20) - 1);
	key->offset = offset;
	if (bpf_core_field_exists(inode->i_mtime_sec)) {
		key->modified_s = HEAD_FIELD(tree, inode, i_mtime_sec);
		key->modified_ns = HEAD_FIELD(tree, inode, i_mtime_nsec);
	} else if (bpf_core_field_exists(inode->__i_mtime)) {
		key->modified_s = HEAD_FIELD(tree, inode, __i_mtime.tv_sec);
		key->modified_ns = HEAD_FIELD(tree, inode, __i_mtime.tv_nsec);
	} else {
		key->modified_s = HEAD_FIELD(tree, inode, i_mtime.tv_sec);
		key->modified_ns = HEAD_FIELD(tree, inode, i_mtime.tv_nsec);
	}
	return true;
}

/* Narrows a mapping to the part that one shard covers; see unwind_placement__regions. */
static __always_inline bool find_shard(const struct unwind_mapping *known, __u64 address,
				       struct unwind_region *region)
{
	__u64 bias = region->start - known->pc, found = 0, first, next;
	__u32 step;

	for (step = UNWIND_MAX_SHARDS / 2; step; step /= 2)
		if (found + step < known->nr_shards)
			found = take_step(found, step,
					  (__s64)(bias + known->shards[found + step].pc - address));
	first = bias + known->shards[found].pc;
	if ((__s64)first > (__s64)address)
		return false;
	if ((__s64)first > (__s64)region->start)
		region->start = first;
	next = bias + known->shards[(found + 1) % UNWIND_MAX_SHARDS].pc;
	if (found + 1 < known->nr_shards && next < region->end)
		region->end = next;
	region->bias = bias;
	region->chunk = known->shards[found].chunk;
	region->first = known->shards[found].first;
	region->nr_rows = known->shards[found].nr_rows;
	region->interpreter = known->interpreter;
	return true;
}

/* Returns true for the 64-bit vDSO. Below 4 GB it is that of a 32-bit process, which differs. */
static __always_inline bool is_vdso(struct mm_struct *mm, __u64 start)
{
	return start >> 32 && (__u64)FOLLOW(mm, context.vdso) == start;
}

enum region_answer {
	/*
	 * No mapping was found (kernels before 6.1 have no tree of them that we can read), or user
	 * space does not know its file yet.
	 */
	REGION_UNKNOWN,
	REGION_READ,
	REGION_NO_CODE, /* the mapping is not executable */
};

/*
 * Finds the region around an address, as user space would list it. *region is only changed for
 * REGION_READ.
 */
static __always_inline enum region_answer read_region(__u32 context, __u64 address,
						      struct unwind_region *region)
{
	struct task_struct *task = current_task();
	struct mm_struct *mm = FOLLOW(task, mm);
	struct unwind_region found = {};
	struct unwind_mapping *known;
	struct vm_area_struct *vma;
	struct tree_walk *tree;
	struct file *file;
	__u64 offset;

	tree = bpf_map_lookup_elem(&unwind_tree, &context);
	if (!tree || !mm || !bpf_core_field_exists(mm->mm_mt))
		return REGION_UNKNOWN;
	vma = find_vma(tree, (__u64)FOLLOW(mm, mm_mt.ma_root), address);
	if (!vma || READ_HEAD(tree, vma) || HEAD_FIELD(tree, vma, vm_mm) != mm)
		return REGION_UNKNOWN;
	found.start = HEAD_FIELD(tree, vma, vm_start);
	found.end = HEAD_FIELD(tree, vma, vm_end);
	if (address < found.start || address >= found.end)
		return REGION_UNKNOWN;
	if (!(HEAD_FIELD(tree, vma, vm_flags) & VM_EXEC))
		return REGION_NO_CODE;
	file = HEAD_FIELD(tree, vma, vm_file);
	offset = HEAD_FIELD(tree, vma, vm_pgoff) << cfg_page_shift;
	if (file || is_vdso(mm, found.start)) {
		__builtin_memset(&tree->key, 0, sizeof(tree->key));
		if (file && !read_identity(tree, file, offset))
			return REGION_UNKNOWN;
		known = bpf_map_lookup_elem(&unwind_mappings, &tree->key);
		if (!known || (known->nr_shards && !find_shard(known, address, &found)))
			return REGION_UNKNOWN;
	}
	*region = found;
	return REGION_READ;
}

/* ---- cached regions ---- */

/*
 * Returns a number that differs after each change of the process's mappings; 0: the kernel has none
 * (before 6.4, or without CONFIG_PER_VMA_LOCK). A global function, so that it is verified once.
 */
__weak __noinline __u64 read_state(void)
{
	struct task_struct *task = current_task();
	struct mm_struct *mm = FOLLOW(task, mm);
	struct mm_struct___6_13 *newer = (void *)mm;

	if (bpf_core_field_exists(newer->mm_lock_seq))
		return 1ULL << 32 | (__u32)FOLLOW(newer, mm_lock_seq.sequence);
	if (bpf_core_field_exists(mm->mm_lock_seq))
		return 1ULL << 32 | (__u32)FOLLOW(mm, mm_lock_seq);
	return 0;
}

/*
 * Reads epoch and state, before all other reads of a walk and once only: a later change makes
 * another state or epoch, and what the walk has cached then belongs to the old one.
 */
static __always_inline void begin_regions(struct unwind_walk *walk)
{
	walk->epoch = *(volatile __u32 *)&session.tables_epoch;
	walk->mappings = read_state();
}

static __always_inline bool is_in(const struct unwind_region *region, __u64 address)
{
	return address - region->start < region->end - region->start;
}

/* As read_region, into walk->region, but looks in the cache first, by process and megabyte. */
static __always_inline enum region_answer recall_region(struct unwind_walk *walk, __u64 address)
{
	struct told_region *told = &walk->told[hash_term(0, walk->process + (address >> 20)) >>
					       (64 - TOLD_REGIONS_SHIFT)];
	enum region_answer answer;

	if (walk->mappings && told->mappings == walk->mappings && told->epoch == walk->epoch &&
	    told->process == walk->process && is_in(&told->region, address)) {
		walk->region = told->region;
		return REGION_READ;
	}
	answer = read_region(walk->context, address, &walk->region);
	/* not cached without a table, as one may come */
	if (answer != REGION_READ || !walk->region.nr_rows)
		return answer;
	told->process = walk->process;
	told->mappings = walk->mappings;
	told->epoch = walk->epoch;
	told->region = walk->region;
	return REGION_READ;
}

#endif
