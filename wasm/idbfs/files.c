// SPDX-License-Identifier: MIT
// Implements files.h with Emscripten's system calls.
// A FILE is its descriptor, which is never 0.
#include "files.h"

#ifdef __EMSCRIPTEN__
#include <fcntl.h>
#include <stdint.h>
#include <wasi/api.h>

int __syscall_open(const char *path, int flags, ...);

static __wasi_fd_t descriptor(FILE *file) {
    return (__wasi_fd_t)(intptr_t)file;
}

FILE *fopen(const char *path, const char *mode) {
    int opened = __syscall_open(path, *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY, 0666);
    return opened < 0 ? NULL : (FILE *)(intptr_t)opened;
}

int fclose(FILE *file) {
    return __wasi_fd_close(descriptor(file));
}

size_t fread(void *at, size_t size, size_t count, FILE *file) {
    __wasi_iovec_t part = {at, size * count};
    __wasi_size_t length = 0;
    return __wasi_fd_read(descriptor(file), &part, 1, &length) == 0 ? length / size : 0;
}

size_t fwrite(const void *at, size_t size, size_t count, FILE *file) {
    __wasi_ciovec_t part = {at, size * count};
    __wasi_size_t length = 0;
    return __wasi_fd_write(descriptor(file), &part, 1, &length) == 0 ? length / size : 0;
}

int fseek(FILE *file, long offset, int whence) {
    __wasi_filesize_t at;
    return __wasi_fd_seek(descriptor(file), offset, (__wasi_whence_t)whence, &at);
}

long ftell(FILE *file) {
    __wasi_filesize_t at;
    return __wasi_fd_seek(descriptor(file), 0, __WASI_WHENCE_CUR, &at) == 0 ? (long)at : -1;
}
#endif
