// SPDX-License-Identifier: MIT
// Plays pages with the WASI build in any runtime: the few calls of WASI that it makes are answered
// here.

/**
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} input
 * @returns {Uint8Array[]} what it prints
 */
export function play(module, input) {
  const printed = [];
  let memory;
  let at = 0;
  const view = () => new DataView(memory.buffer);
  const pieces = (start, count) =>
    Array.from(
      { length: count },
      (_, i) =>
        new Uint8Array(
          memory.buffer,
          view().getUint32(start + 8 * i, true),
          view().getUint32(start + 8 * i + 4, true),
        ),
    );
  const answer = (where, size) => (view().setUint32(where, size, true), 0);
  const calls = {
    fd_read(_, start, count, where) {
      let size = 0;
      for (const piece of pieces(start, count)) {
        const part = input.subarray(at, at + piece.length);
        piece.set(part);
        at += part.length;
        size += part.length;
      }
      return answer(where, size);
    },
    fd_write(_, start, count, where) {
      const written = pieces(start, count).map((piece) => piece.slice());
      printed.push(...written);
      return answer(
        where,
        written.reduce((sum, { length }) => sum + length, 0),
      );
    },
    // A character device, which is not sought.
    fd_fdstat_get: (_, where) => (new Uint8Array(memory.buffer, where, 24).fill(0).set([2]), 0),
    fd_seek: () => 70,
    fd_close: () => 0,
    proc_exit(code) {
      throw Object.assign(new Error(`the player left with ${code}`), { code });
    },
  };
  const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
  memory = exports.memory;
  try {
    exports._start();
  } catch (error) {
    if (error.code !== 0) throw error;
  }
  return printed;
}

/**
 * The SHA-256 of what each script prints.
 * @param {WebAssembly.Module} module
 * @param {Record<string, string>} scripts
 * @returns {Promise<Record<string, string>>}
 */
export async function playAll(module, scripts) {
  const hashes = {};
  for (const [name, script] of Object.entries(scripts)) {
    const log = await new Blob(play(module, new TextEncoder().encode(script))).arrayBuffer();
    hashes[name] = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", log)), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
  }
  return hashes;
}
