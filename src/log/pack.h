// SPDX-License-Identifier: MIT
// Packing: replaces bytes that a record shares with recent records (ids, namespaces, names) by
// references to them. A packed body is a varint, the unpacked length, then pieces up to its end: a
// varint and as many literal bytes, then (unless it ends there) a run as in a list snapshot: how
// many records back, first byte in that record, number of bytes. Does not depend on what the bytes
// mean.
#ifndef WEFT_LOG_PACK_H
#define WEFT_LOG_PACK_H

#include "index.h"

#define WEFT_LOG_PACKED_MOST 4096u // max bytes of a body that is packed
// Max records that a run goes back, max first byte and max length. So a reader keeps at most 512
// bytes of each of the last 256 records, and a frame unpacks to at most 32 times its size.
#define WEFT_LOG_PACKED_NEAR 256u

// Window with the beginnings of the most recent records.
typedef struct weft_log_packer weft_log_packer;

// Packs the body of record `seq`, which ends the buffer in the frame begun at `mark`, if that makes
// it smaller, and keeps its beginning for the next ones. *packer is NULL at first, and made here.
// All records in the packer must be in the log before this one, after its last TRIM.
// WEFT_ERR_NO_MEMORY (the buffer's sticky failure).
void weft_log_pack(weft_log_packer **packer, weft_memory *memory, weft_buffer *buffer,
                   uint32_t mark, uint64_t seq);

// Restarts *packer with the newest records of `index`, if that log has packed records. With a NULL
// index *packer is NULL afterwards; it may be NULL before. WEFT_ERR_NO_MEMORY.
weft_status weft_log_packer_begin(weft_log_packer **packer, weft_memory *memory,
                                  const weft_log_index *index);

#endif
