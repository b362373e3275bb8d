// SPDX-License-Identifier: MIT
// Loads files whose addresses the model cannot take itself (`supportedUrls`), within a limit. Does
// not depend on messages.
import { bytesToText } from "../../base/base64.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {Record<string, Value>} Fields */
/** @typedef {{ fetch: typeof globalThis.fetch, most: number, signal: AbortSignal }} Loading */

/**
 * Replaces such addresses by what is there.
 * @param {Fields[]} prompt changed in place
 * @param {Value} model of the AI SDK
 * @param {Loading} loading `most`: bytes of one file
 */
export async function loadFiles(prompt, model, loading) {
  const files = prompt.flatMap(({ content }) => content).filter((part) => urlIn(part));
  if (files.length === 0) return;
  const supported = Object.entries((await model.supportedUrls) ?? {});
  await Promise.all(
    files
      .filter((file) => !isSupported(file, supported))
      .map(async (file) => {
        const { data, mediaType } = await load(/** @type {URL} */ (urlIn(file)), loading);
        file.data = model.specificationVersion === "v4" ? { type: "data", data } : data;
        if (/\*$|^application\/octet-stream$/.test(file.mediaType))
          file.mediaType = mediaType || file.mediaType;
      }),
  );
}

/** @param {Fields} part @returns {URL | undefined} the address, if it is a file at one */
function urlIn({ type, data }) {
  const url = data?.url ?? data;
  return type === "file" && url instanceof URL ? url : undefined;
}

/** @param {Fields} file @param {[string, RegExp[]][]} supported by media type */
function isSupported(file, supported) {
  const url = String(urlIn(file));
  return supported.some(([type, patterns]) => {
    const family = type.replace(/\*.*/, "");
    return file.mediaType.startsWith(family) && patterns.some((pattern) => pattern.test(url));
  });
}

/** @param {URL} url @param {Loading} loading */
async function load(url, { fetch, most, signal }) {
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`Message with a file at ${url.protocol}: only http and https are loaded`);
  const response = await fetch(url, { signal });
  const what = `The file at ${url.origin}${url.pathname}`;
  if (!response.ok) throw new Error(`${what} answered ${response.status}`);
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    pieces.push(read.value);
    length += read.value.length;
    if (length <= most) continue;
    reader?.cancel().catch(() => undefined);
    throw new Error(`${what} has more than ${most} bytes`);
  }
  const mediaType = response.headers.get("content-type")?.split(";")[0];
  return { data: bytesToText(await new Blob(pieces).arrayBuffer()), mediaType };
}
