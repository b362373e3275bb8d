// SPDX-License-Identifier: MIT
// Asks at once for the files that the workbench and the engine's worker import. A browser would
// find each of them a round later, when it has read what imports it. The page's head names them.

/** @param {string} kind @returns {string[]} addresses */
function named(kind) {
  const meta = /** @type {HTMLMetaElement | null} */ (
    document.querySelector(`meta[name="weft-ahead"][data-for="${kind}"]`)
  );
  return meta?.content.match(/\S+/g) ?? [];
}

/** Call it when a person can use the page: the line is slow, and all of these are large. */
export function loadAhead() {
  for (const href of named("page"))
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "modulepreload", href }),
    );
  // A service worker has them.
  if (navigator.serviceWorker?.controller) return;
  // A worker's modules cannot be preloaded: what was fetched is in the browser's cache. What cannot
  // be fetched is asked for again by the worker, which says so.
  for (const address of named("engine"))
    fetch(address)
      .then((response) => response.blob())
      .catch(() => {});
}
