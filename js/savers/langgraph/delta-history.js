// SPDX-License-Identifier: MIT
// What ancestors of a checkpoint wrote to channels that are not stored whole. Knows a saver's
// getTuple only.

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/callable.js").Value} Value */

/**
 * @param {{ getTuple: (config: Config) => Promise<Value> }} saver
 * @param {{ config: Config, channels: string[] }} options
 * @returns {Promise<Record<string, { writes: unknown[], seed?: unknown }>>}
 */
export async function deltaHistory(saver, { config, channels }) {
  /** @type {Record<string, { writes: unknown[], seed?: unknown }>} */
  const history = Object.fromEntries(channels.map((channel) => [channel, { writes: [] }]));
  const open = new Set(channels);
  let at = open.size === 0 ? undefined : (await saver.getTuple(config))?.parentConfig;
  while (at !== undefined && open.size > 0) {
    const tuple = await saver.getTuple(at);
    if (tuple === undefined) break;
    for (const channel of open) {
      const entry = history[channel];
      // Newest to oldest, so each batch goes before what was found so far. A saver gives a
      // checkpoint's writes in their order.
      entry.writes.unshift(
        ...(tuple.pendingWrites ?? []).filter(
          (/** @type {unknown[]} */ write) => write[1] === channel,
        ),
      );
      const stored = tuple.checkpoint.channel_values[channel];
      if (stored === undefined) continue;
      entry.seed = stored;
      open.delete(channel);
    }
    at = tuple.parentConfig;
  }
  return history;
}
