// SPDX-License-Identifier: MIT
// Implements uri.h: resolving references.
#include "uri.h"

#include <string.h>

// Returns where the path of an address starts: after "scheme:" and "//authority". `*scheme` is
// after the colon, 0 without one.
static uint32_t path_of(const uint8_t *uri, uint32_t length, uint32_t *scheme) {
    uint32_t at = 0;
    *scheme = 0;
    while (at < length && uri[at] != ':' && uri[at] != '/' && uri[at] != '?') {
        at++;
    }
    if (at != 0 && at < length && uri[at] == ':') {
        *scheme = at + 1;
    }
    at = *scheme;
    if (length - at >= 2 && uri[at] == '/' && uri[at + 1] == '/') {
        for (at += 2; at < length && uri[at] != '/' && uri[at] != '?';) {
            at++;
        }
    }
    return at;
}

static uint32_t find(const uint8_t *text, uint32_t from, uint32_t length, uint8_t letter) {
    while (from < length && text[from] != letter) {
        from++;
    }
    return from;
}

// Removes "." and ".." from the path that starts at `path`; the rest moves up. Returns the new
// length.
static uint32_t remove_dots(uint8_t *out, uint32_t path, uint32_t length) {
    uint32_t end = find(out, path, length, '?');
    uint32_t to = path;
    for (uint32_t from = path; from < end;) {
        uint32_t start = from + (out[from] == '/');
        uint32_t next = find(out, start, end, '/');
        uint32_t size = next - start;
        int dots =
            size != 0 && size <= 2 && out[start] == '.' && out[next - 1] == '.' ? (int)size : 0;
        if (dots == 0) {
            memmove(out + to, out + from, next - from);
            to += next - from;
        } else {
            while (dots == 2 && to > path && out[--to] != '/') {
            }
            if (next == end) {
                out[to++] = '/';
            }
        }
        from = next;
    }
    memmove(out + to, out + end, length - end);
    return to + length - end;
}

uint32_t weft_uri_resolve(const uint8_t *base, uint32_t base_length, const uint8_t *reference,
                          uint32_t length, uint8_t *out) {
    uint32_t scheme;
    uint32_t base_scheme;
    path_of(reference, length, &scheme);
    uint32_t base_path = path_of(base, base_length, &base_scheme);
    uint32_t kept = 0; // number of bytes taken from the base
    if (scheme == 0) {
        uint32_t query = find(base, base_path, base_length, '?');
        if (length == 0) {
            kept = base_length;
        } else if (length >= 2 && reference[0] == '/' && reference[1] == '/') {
            kept = base_scheme;
        } else if (reference[0] == '/') {
            kept = base_path;
        } else if (reference[0] == '?') {
            kept = query;
        } else {
            for (kept = query; kept > base_path && base[kept - 1] != '/';) {
                kept--;
            }
        }
    }
    if (kept != 0) {
        memcpy(out, base, kept);
    }
    uint32_t size = kept;
    if (scheme == 0 && kept == base_path && base_path > base_scheme && length != 0 &&
        reference[0] != '/' && reference[0] != '?') {
        out[size++] = '/'; // an authority without a path
    }
    memcpy(out + size, reference, length);
    uint32_t path = path_of(out, size + length, &scheme);
    // An address like urn:a:b has no path of segments.
    return path < size + length && (out[path] == '/' || scheme == 0)
               ? remove_dots(out, path, size + length)
               : size + length;
}
