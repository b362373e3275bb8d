// SPDX-License-Identifier: MIT
import { uuid6 } from "weftgraph/checkpoint";

/** Puts a checkpoint behind the thread's newest one, whose channel `log` holds `log`. */
export const putWith = (log) => async (saver) => {
  const { config, checkpoint, metadata } = await saver.getTuple({
    configurable: { thread_id: "1" },
  });
  const versions = {
    ...checkpoint.channel_versions,
    log: Number(checkpoint.channel_versions.log ?? 0) + 1,
  };
  const next = {
    ...checkpoint,
    id: uuid6(0),
    channel_values: { ...checkpoint.channel_values, log },
    channel_versions: versions,
  };
  await saver.put(config, next, { ...metadata, step: metadata.step + 1 }, { log: versions.log });
};
