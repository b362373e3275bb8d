// SPDX-License-Identifier: MIT
// Replaces IDBFS's reconcile: carries out an explicit list of changes in one strict transaction,
// compares the stored head record first, adds commits (an existing name is a conflict) and reports
// every failure. Ignores times, deletes only listed files and never overwrites a commit.
import { Conflict, transact } from "./transaction.js";

/**
 * @typedef {{ timestamp: Date, mode: number, contents: Uint8Array }} Entry a file as IDBFS stores
 *   it
 */
/**
 * @typedef {object} Change
 * @property {string} path Prefix of the keys of its files.
 * @property {string} folder Path of the mount.
 * @property {string} id Id of the thread, stored beside the files so that the database alone
 *   identifies it.
 * @property {Uint8Array | undefined} seen Head record on which the change is based.
 * @property {{ op: string, name: string }[]} lines 'l' load, 'd' delete, 'p' put, 'a' add.
 * @property {() => void} build Makes the files to put and add, once the files to load are in the
 *   folder.
 */

const FILE_MODE = 0o100666;

/**
 * @param {Uint8Array | undefined} a
 * @param {Uint8Array | undefined} b
 */
export function sameContents(a, b) {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/**
 * @param {import("./module.js").IdbfsModule["FS"]} FS
 * @param {string} storeName
 */
export function createReconcile(FS, storeName) {
  /**
   * @param {Change} change
   * @param {{ db: IDBDatabase }} target
   * @param {(error: unknown) => void} callback
   */
  return (change, { db }, callback) => {
    const { path, folder, id, lines, seen, build } = change;
    const keyOf = (/** @type {{ name: string }} */ { name }) => `${path}/${name}`;
    const fileOf = (/** @type {{ name: string }} */ { name }) => `${folder}/${name}`;
    const loads = lines.filter(({ op }) => op === "l");

    /** @param {IDBObjectStore} store */
    const write = (store) => {
      build();
      if (!seen) store.put(id, path);
      for (const line of lines) if (line.op === "d") store.delete(keyOf(line));
      for (const line of lines) {
        if (line.op !== "a" && line.op !== "p") continue;
        /** @type {Entry} */
        const entry = {
          timestamp: new Date(),
          mode: FILE_MODE,
          contents: FS.readFile(fileOf(line)),
        };
        if (line.op === "a") store.add(entry, keyOf(line));
        else store.put(entry, keyOf(line));
      }
    };

    transact(db, storeName, "readwrite", (store, guard) => {
      const head = store.get(`${path}/head`);
      head.onsuccess = guard(() => {
        if (!sameContents(head.result?.contents, seen))
          throw new Conflict("the head record has changed");
        let waiting = loads.length;
        if (waiting === 0) write(store);
        for (const line of loads) {
          const request = store.get(keyOf(line));
          request.onsuccess = guard(() => {
            if (!request.result) throw new Conflict("a file is gone");
            FS.writeFile(fileOf(line), request.result.contents);
            if (--waiting === 0) write(store);
          });
        }
      });
    }).then(
      () => callback(null),
      (error) =>
        callback(
          error?.name === "ConstraintError" ? new Conflict("a file of that name exists") : error,
        ),
    );
  };
}
