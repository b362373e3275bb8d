// SPDX-License-Identifier: MIT
// A model service as a fetch: it plays prepared answers, keeps what it was asked and notes when it
// is left. Uses names of the Web only.

const encoder = new TextEncoder();

/**
 * One answer of the service.
 * `answer`: in the service's own form, as events or whole, as the request asks; `pieceSize`: in
 * pieces of so many bytes, wherever they end. `events`: exact texts of a stream, then `end`:
 * "close", "cut" (the connection breaks) or "hang". `status`: a refusal with `body` and `headers`.
 * @typedef {{ answer?: any, pieceSize?: number, events?: string[], end?: "close" | "cut" | "hang",
 *   status?: number, body?: unknown, headers?: Record<string, string> }} Step
 */

/**
 * @param {any} column
 * @param {Step[]} steps one for each request
 */
export function serviceOf(column, steps) {
  /** @type {any[]} */
  const requests = [];
  const fetch = async (/** @type {any} */ url, /** @type {any} */ init) => {
    const request = {
      url: String(url),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: JSON.parse(init.body),
      at: Date.now(),
      isLeft: false,
    };
    const step = steps[requests.push(request) - 1];
    if (step === undefined) throw new Error(`request ${requests.length} of ${steps.length}`);
    if (step.status !== undefined) {
      const headers = { "content-type": "application/json", ...step.headers };
      return new Response(JSON.stringify(step.body), { status: step.status, headers });
    }
    if (step.events === undefined && !column.request.isStream(request))
      return Response.json(column.whole(step.answer));
    const events = step.events ?? column.stream(step.answer);
    const bytes = events.map((/** @type {string} */ event) => encoder.encode(event));
    const pieces = step.pieceSize === undefined ? bytes : cutIn(events, step.pieceSize);
    return new Response(bodyOf(pieces, step.end ?? "close", request, init.signal), {
      headers: { "content-type": column.contentType ?? "text/event-stream" },
    });
  };
  return { fetch, requests };
}

/** The bytes of all events in pieces of one size. @param {string[]} events @param {number} size */
function cutIn(events, size) {
  const bytes = encoder.encode(events.join(""));
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.slice(at * size, (at + 1) * size));
}

/**
 * @param {Uint8Array[]} pieces
 * @param {"close" | "cut" | "hang"} end
 * @param {{ isLeft: boolean }} request
 * @param {AbortSignal | undefined} signal
 */
function bodyOf(pieces, end, request, signal) {
  let at = 0;
  let isOver = false;
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener("abort", () => {
        request.isLeft = true;
        if (!isOver) controller.error(signal.reason);
        isOver = true;
      });
    },
    pull(controller) {
      if (at < pieces.length) return controller.enqueue(pieces[at++]);
      if (end === "hang") return new Promise(() => {});
      isOver = true;
      if (end === "cut") controller.error(new TypeError("the connection broke"));
      else controller.close();
    },
    cancel() {
      request.isLeft = true;
      isOver = true;
    },
  });
}
