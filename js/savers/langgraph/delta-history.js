// SPDX-License-Identifier: MIT
// What ancestors of a checkpoint wrote to channels that are not stored whole. Knows a saver's getTuple only.

/**
 * @param {{ getTuple: (config: any) => Promise<any> }} saver
 * @param {{ config: any, channels: string[] }} options
 * @returns {Promise<Record<string, { writes: any[], seed?: any }>>}
 */
export async function deltaHistory(saver, { config, channels }) {
  /** @type {Record<string, { writes: any[], seed?: any }>} */
  const history = Object.fromEntries(channels.map((channel) => [channel, { writes: [] }]));
  const open = new Set(channels);
  let at = open.size === 0 ? undefined : (await saver.getTuple(config))?.parentConfig;
  while (at !== undefined && open.size > 0) {
    const tuple = await saver.getTuple(at);
    if (tuple === undefined) break;
    for (const channel of open) {
      const entry = history[channel];
      // Newest to oldest, so each batch goes before what was found so far. A saver gives a checkpoint's writes in their order.
      entry.writes.unshift(...(tuple.pendingWrites ?? []).filter((/** @type {any[]} */ write) => write[1] === channel));
      const stored = tuple.checkpoint.channel_values[channel];
      if (stored === undefined) continue;
      entry.seed = stored;
      open.delete(channel);
    }
    at = tuple.parentConfig;
  }
  return history;
}
