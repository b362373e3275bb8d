// SPDX-License-Identifier: MIT
// Retries operations while another process locks a local Deno KV. Does not depend on the
// operations.

const LOCKED_TRIES = 40;

/**
 * Repeats the call while another process locks the local database.
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
