// SPDX-License-Identifier: MIT
// A line to a server that is as slow as a phone's, and counts what comes over it: also for workers
// and service workers, which the browser's own throttling leaves out.
import { createServer, connect } from "node:net";

/**
 * @param {{ port: number, latencyMs?: number, bitsPerSecond?: number }} options `latencyMs`: of
 *   each request; without a rate it only counts
 * @returns {Promise<{ url: string, bytes: number, before: Map<string, number>, close: () => void
 *   }>} `before`: the bytes that had come when a path was asked for
 */
export async function slowLine({ port, latencyMs = 0, bitsPerSecond = Infinity }) {
  const sockets = new Set();
  const line = { url: "", bytes: 0, before: new Map(), close };
  let free = 0;
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => (sockets.delete(from), to.destroy()));
    }
    near.on("data", (data) => {
      const path = /^GET (\S+)/.exec(data.toString("latin1"))?.[1];
      if (path !== undefined && !line.before.has(path)) line.before.set(path, line.bytes);
      setTimeout(() => far.writable && far.write(data), latencyMs);
    });
    far.on("data", (data) => {
      line.bytes += data.length;
      free = Math.max(free, performance.now()) + (data.length * 8000) / bitsPerSecond;
      setTimeout(() => near.writable && near.write(data), free - performance.now());
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  line.url = `http://127.0.0.1:${server.address().port}/`;
  function close() {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  return line;
}
