// SPDX-License-Identifier: MIT
// Packing: what a record has in common with those written just before it (ids, namespaces, names)
// is referred to by its place there. A packed body is a varint, the length of what it stands for,
// then pieces up to its end: a varint and as many bytes of its own, then (unless it ends there) a
// run as in a list snapshot: back how many records, from which byte of that one on, how many. Knows
// bytes; must not know what they mean.
#ifndef WEFT_LOG_PACK_H
#define WEFT_LOG_PACK_H

#include "index.h"

#define WEFT_LOG_PACKED_MOST 4096u // bytes of a body that is packed
// A run goes back no more records than this, begins no later and is no longer: whoever reads a log
// keeps no more than 512 bytes of each of the last 256 records, and what a frame unpacks to is at
// most 32 times as long.
#define WEFT_LOG_PACKED_NEAR 256u

// The beginnings of the records that were written last.
typedef struct weft_log_packer weft_log_packer;

// Packs the body of record `seq`, which ends the buffer in the frame begun at `mark`, if that makes
// it smaller, and keeps its beginning for the next ones. *packer is NULL at first, and made here.
// All records that it has seen must stand in the log before this one, behind its last TRIM.
// WEFT_ERR_NO_MEMORY (the buffer's sticky failure).
void weft_log_pack(weft_log_packer **packer, weft_memory *memory, weft_buffer *buffer,
                   uint32_t mark, uint64_t seq);

// Forgets what *packer has kept, and keeps the newest records of a log in which some are packed,
// whose next one is to come. NULL: none, and *packer is NULL afterwards, as it may be before.
// WEFT_ERR_NO_MEMORY.
weft_status weft_log_packer_begin(weft_log_packer **packer, weft_memory *memory,
                                  const weft_log_index *index);

#endif
