// SPDX-License-Identifier: MIT
// Format of a run's writes in the log's records: bits of a write's index, and outcomes of a task.
#ifndef WEFT_RUN_RECORD_FORMAT_H
#define WEFT_RUN_RECORD_FORMAT_H

// A write's index in the log is its position among the task's writes, shifted by WEFT_RECORD_SHIFT,
// plus these bits. Items of one written list have the same index; an empty list is one absent item.
#define WEFT_RECORD_LIST 1u
#define WEFT_RECORD_LONE 2u
#define WEFT_RECORD_OVERWRITE 4u
#define WEFT_RECORD_FLAGS 7u
#define WEFT_RECORD_SHIFT 3u

// Outcomes of a task.
#define WEFT_RECORD_DONE 1u
#define WEFT_RECORD_INTERRUPTED 2u
#define WEFT_RECORD_FAILED 3u

// Marks of a channel change.
#define WEFT_RECORD_FINISHED 1u
#define WEFT_RECORD_DEFERS 2u // the channel waits for the end of the run

#endif
