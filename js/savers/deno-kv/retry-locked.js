// SPDX-License-Identifier: MIT
// Knows: that a local Deno KV may be locked by another process for a moment. Must not know what is
// asked of it.

const LOCKED_TRIES = 40;

/**
 * Again and again while another process has the local database's lock.
 * @template T
 * @param {() => Promise<T>} call
 * @returns {Promise<T>}
 */
export async function patiently(call) {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries >= LOCKED_TRIES || !/locked|busy/i.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 * tries));
    }
  }
}
