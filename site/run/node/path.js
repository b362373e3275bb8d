// SPDX-License-Identifier: MIT
// node:path, with the folder that programs begin in.
import posix from "path-browserify";

const HERE = "/example";

export const { basename, dirname, extname, isAbsolute, join, normalize, parse, sep } = posix;

/** @param {string[]} parts */
export const resolve = (...parts) => posix.resolve(HERE, ...parts);
