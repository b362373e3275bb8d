// SPDX-License-Identifier: MIT
// Counts the threads that wait for a person, of all that are stored, and counts again when it may
// have changed. Must not know: how it is shown.

/** @typedef {import("../worker/engine.js").Engine} Engine */

const AFTER_MS = 150;
const COUNT = "http://weft.local/threads/count";

/** @param {Engine} engine @param {(count: number) => void} changed */
export function watchWaiting(engine, changed) {
  let isDue = false;
  const count = async () => {
    isDue = false;
    if (engine.state !== "ready") return;
    try {
      const response = await engine.server.fetch(COUNT, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ status: "interrupted" }),
      });
      const answer = response.ok ? await response.json() : undefined;
      if (Number.isSafeInteger(answer)) changed(answer);
    } catch {
      // The engine went in the middle: it is counted when the next one is ready.
    }
  };
  const soon = () => {
    if (!isDue) setTimeout(count, AFTER_MS);
    isDue = true;
  };
  engine.addEventListener("state", soon);
  engine.addEventListener("threads", soon);
  // Another tab may have worked.
  addEventListener("focus", soon);
  document.addEventListener("visibilitychange", () => document.hidden || soon());
}
