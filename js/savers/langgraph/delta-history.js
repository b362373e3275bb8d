// SPDX-License-Identifier: MIT
// Collects the writes of a checkpoint's ancestors to channels that are not stored whole. Needs only
// a saver's getTuple.

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../base-checkpoint-saver.js").CheckpointTuple} CheckpointTuple */

/**
 * @param {{ getTuple: (config: Config) => Promise<CheckpointTuple | undefined> }} saver
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
      // Goes from newest to oldest, so each batch is prepended. A saver returns a checkpoint's
      // writes in their order.
      entry.writes.unshift(...(tuple.pendingWrites ?? []).filter((write) => write[1] === channel));
      const stored = tuple.checkpoint.channel_values[channel];
      if (stored === undefined) continue;
      entry.seed = stored;
      open.delete(channel);
    }
    at = tuple.parentConfig;
  }
  return history;
}
