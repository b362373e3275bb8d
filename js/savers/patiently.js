// SPDX-License-Identifier: MIT
// Knows: that a local Deno KV may be locked by another process for a moment. Must not know what is asked of it.

const LOCKED_TRIES = 40;

/**
 * Again and again while another process has the local database's lock.
 * @param {() => Promise<any>} call
 * @returns {Promise<{ answer: any, tries: number }>}
 */
export async function patiently(call) {
  for (let tries = 1; ; tries++) {
    try {
      return { answer: await call(), tries };
    } catch (error) {
      if (tries >= LOCKED_TRIES || !/locked|busy/i.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2 * tries));
    }
  }
}
