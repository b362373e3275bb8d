// SPDX-License-Identifier: MIT
// Files and folders in the memory of the tab, by the rules of node:fs that savers rely on: a name
// is given once, a rename is one step, an error has Node's code. memfs is not used: it has no build
// for browsers, but imports node:buffer, node:stream and node:url, and is 190 kB without these.
import { basename, dirname, resolve } from "./path.js";
import { Bytes } from "./bytes.js";

/** @typedef {{ bytes: Bytes, names: number, mtimeMs: number }} File */
/** @typedef {{ entries: Map<string, File | Folder>, mtimeMs: number }} Folder */

/** @returns {Folder} */
const newFolder = () => ({ entries: new Map(), mtimeMs: Date.now() });
const root = newFolder();

/** @param {string} code @param {string} path */
export function failure(code, path) {
  return Object.assign(new Error(`${code}: ${TEXTS[code]}, '${path}'`), { code, path });
}
/** @type {Record<string, string>} */
const TEXTS = {
  EBADF: "bad file descriptor",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EPERM: "operation not permitted",
};

/** @param {File | Folder} entry @returns {entry is Folder} */
export const isFolder = (entry) => "entries" in entry;

/** @param {string} path @returns {File | Folder | undefined} */
export function find(path) {
  if (path === "") throw failure("ENOENT", path);
  /** @type {File | Folder | undefined} */
  let entry = root;
  for (const name of resolve(path).split("/").filter(Boolean)) {
    if (entry === undefined) return undefined;
    if (!isFolder(entry)) throw failure("ENOTDIR", path);
    entry = entry.entries.get(name);
  }
  return entry;
}

/** @param {string} path @returns {File | Folder} */
export function entryAt(path) {
  const entry = find(path);
  if (entry === undefined) throw failure("ENOENT", path);
  return entry;
}

/** @param {string} path @returns {Folder} */
export function folderAt(path) {
  const entry = entryAt(path);
  if (!isFolder(entry)) throw failure("ENOTDIR", path);
  return entry;
}

/** @param {string} path @returns {File} */
export function fileAt(path) {
  const entry = entryAt(path);
  if (isFolder(entry)) throw failure("EISDIR", path);
  return entry;
}

/** The folder of a path, and the path's name in it. @param {string} path */
function placeOf(path) {
  const whole = resolve(path);
  return { folder: folderAt(dirname(whole)), name: basename(whole) };
}

/** @param {string} path @param {File | Folder} entry */
function put(path, entry) {
  const { folder, name } = placeOf(path);
  folder.entries.set(name, entry);
  folder.mtimeMs = Date.now();
}

/** @param {string} path */
function take(path) {
  const { folder, name } = placeOf(path);
  folder.entries.delete(name);
  folder.mtimeMs = Date.now();
}

/** @param {string} path @returns {File} */
export function makeFile(path) {
  if (find(path) !== undefined) throw failure("EEXIST", path);
  const file = { bytes: new Bytes(0), names: 1, mtimeMs: Date.now() };
  put(path, file);
  return file;
}

/** @param {string} path */
export function makeFolder(path) {
  if (find(path) !== undefined) throw failure("EEXIST", path);
  put(path, newFolder());
}

/** @param {string} from @param {string} to a second name of the same file */
export function link(from, to) {
  const file = entryAt(from);
  if (isFolder(file)) throw failure("EPERM", from);
  if (find(to) !== undefined) throw failure("EEXIST", to);
  put(to, file);
  file.names++;
}

/** @param {string} path */
export function unlink(path) {
  const file = fileAt(path);
  take(path);
  file.names--;
}

/** @param {string} from @param {string} to */
export function rename(from, to) {
  const entry = entryAt(from);
  const old = find(to);
  if (old === entry) return;
  if (isFolder(entry) && `${resolve(to)}/`.startsWith(`${resolve(from)}/`))
    throw failure("EINVAL", to);
  if (old !== undefined) {
    if (isFolder(entry) && !isFolder(old)) throw failure("ENOTDIR", to);
    if (isFolder(old) && !isFolder(entry)) throw failure("EISDIR", to);
    if (isFolder(old) && old.entries.size > 0) throw failure("ENOTEMPTY", to);
    if (!isFolder(old)) old.names--;
  }
  put(to, entry);
  take(from);
}

/** @param {string} path of a file, or of a folder with all that it holds */
export function remove(path) {
  const entry = entryAt(path);
  if (!isFolder(entry)) return unlink(path);
  for (const name of [...entry.entries.keys()]) remove(`${path}/${name}`);
  take(path);
}

makeFolder("/tmp");
makeFolder(resolve("."));
