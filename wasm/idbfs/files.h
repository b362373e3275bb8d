// SPDX-License-Identifier: MIT
// The stdio functions that the store uses: the C library's in native builds; in WebAssembly direct
// calls of Emscripten's system calls, without buffers, because the store reads and writes whole
// windows of an in-memory file system. Renamed, since the linker would add the library's functions
// as well.
#ifndef WEFT_IDBFS_FILES_H
#define WEFT_IDBFS_FILES_H

#include <stdio.h>

#ifdef __EMSCRIPTEN__
#define fopen weft_file_open
#define fclose weft_file_close
#define fread weft_file_read
#define fwrite weft_file_write
#define fseek weft_file_seek
#define ftell weft_file_tell

FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *at, size_t size, size_t count, FILE *file);
size_t fwrite(const void *at, size_t size, size_t count, FILE *file);
int fseek(FILE *file, long offset, int whence);
long ftell(FILE *file);
#endif

#endif
