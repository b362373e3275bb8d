// SPDX-License-Identifier: MIT
// Lets a worker play a recording, and ends it when it takes too long or is not needed any more.
import { serveFrom } from "weftgraph/server/service-worker";
import { openWorker } from "../../worker/open-worker.js";

/** @typedef {import("./player-worker.js").Told} Told */
/** @typedef {Told & { server: ReturnType<typeof serveFrom>, close: () => void }} Playing */

/** A recording of 32 MB takes some seconds; what takes longer was made to. */
const MAX_MS = 30_000;

/**
 * @param {import("./recording-file.js").RecordingFile} file
 * @param {AbortSignal} signal
 * @returns {Promise<Playing>}
 */
export async function play({ graph, recording }, signal) {
  const worker = openWorker("player");
  const { port1, port2 } = new MessageChannel();
  const close = () => {
    worker.terminate();
    port1.close();
  };
  try {
    const told = await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => resolve({ refused: `It took longer than ${MAX_MS / 1000} s and was stopped.` }),
        MAX_MS,
      );
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      worker.addEventListener("message", ({ data }) => (clearTimeout(timer), resolve(data)), {
        once: true,
      });
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        clearTimeout(timer);
        resolve({ refused: "The part of the page that plays recordings could not be loaded." });
      });
      worker.postMessage({ graph, recording }, [port2]);
    });
    return { ...told, server: serveFrom(port1), close };
  } catch (error) {
    close();
    throw error;
  }
}
