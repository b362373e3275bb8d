// SPDX-License-Identifier: MIT
// A thread whose every saver is a new process's: it begins with the commits so far, and adds to
// them.
import { MemorySaver } from "weftgraph";

/** @returns {{ commits: [any, Uint8Array, any][], arrive: () => Promise<MemorySaver> }} */
export function arrivals() {
  const commits = [];
  const arrive = async () => {
    const saver = new MemorySaver();
    for (const [commit, bytes, expected] of commits)
      await saver.store.append("1", commit, bytes, expected);
    const { append } = saver.store;
    saver.store.append = (id, commit, bytes, expected) => (
      commits.push([commit, bytes.slice(), expected]),
      append.call(saver.store, id, commit, bytes, expected)
    );
    return saver;
  };
  return { commits, arrive };
}
