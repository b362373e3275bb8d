// SPDX-License-Identifier: MIT
// Follows how many requests wait for a person: as many as the inbox shows. Must not know: how it is
// shown here.

/**
 * Starts when the engine has, whose list it is.
 * @param {import("../worker/engine.js").Engine} engine
 * @param {(count: number) => void} changed
 */
export function watchWaiting(engine, changed) {
  const start = async () => {
    if (engine.state !== "ready") return;
    engine.removeEventListener("state", start);
    const { waitingOf } = await import("../screens/inbox/waiting.js");
    const waiting = waitingOf(engine);
    const count = () => changed(waiting.requests.length);
    waiting.addEventListener("change", count);
    count();
  };
  engine.addEventListener("state", start);
  start();
}
