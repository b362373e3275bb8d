// SPDX-License-Identifier: MIT
// Makes the page's workers. The page's head names their scripts, since their names change with
// their content; no other script becomes a worker.

/** @type {{ createScriptURL: (url: string) => unknown } | undefined} */
let policy;

/** @returns {Map<string | null, string>} addresses by worker */
function scripts() {
  const named = /** @type {NodeListOf<HTMLMetaElement>} */ (
    document.querySelectorAll('meta[name="weft-worker"]')
  );
  return new Map(
    [...named].map((meta) => [
      meta.getAttribute("data-worker"),
      new URL(meta.content, document.baseURI).href,
    ]),
  );
}

/** @param {string} name @returns {Worker} */
export function openWorker(name) {
  const url = scripts().get(name);
  if (url === undefined) throw new TypeError(`the page names no worker ${name}`);
  return new Worker(/** @type {string} */ (trusted(url)), { type: "module", name: `weft ${name}` });
}

/** @param {string} url @returns {unknown} what a page with Trusted Types takes as an address */
function trusted(url) {
  const { trustedTypes } = /** @type {any} */ (globalThis);
  if (trustedTypes === undefined) return url;
  policy ??= trustedTypes.createPolicy("weft-worker", {
    createScriptURL: (/** @type {string} */ asked) => {
      if ([...scripts().values()].includes(asked)) return asked;
      throw new TypeError("weft-worker: another script");
    },
  });
  return policy?.createScriptURL(url);
}
