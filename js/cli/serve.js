// SPDX-License-Identifier: MIT
// `weftgraph serve`: an Agent Server on a port of this machine, until it is told to end; `weftgraph
// studio` of an address: the page alone. Owns the process: it ends it.
import { createServer as createHttpServer } from "node:http";
import { networkInterfaces } from "node:os";
import { InMemoryStore } from "weftgraph";
import { handleAgUi } from "weftgraph/ag-ui";
import { FileSaver } from "weftgraph/savers/file";
import { createServer } from "weftgraph/server";
import { toNodeHandler } from "weftgraph/server/node";
import { SaverStore } from "weftgraph/stores/saver";
import { lockFolder } from "./folder-lock.js";
import { loadGraphs } from "./graphs.js";
import { makeGuard, tokenCheck } from "./guard.js";
import { readServeOptions } from "./options.js";
import { makeToken, serverElsewhere, studioPage } from "./studio.js";
import { UsageError, codeOf } from "./usage.js";

/** @typedef {import("./options.js").ServeOptions} ServeOptions */
/** @typedef {import("weftgraph/server").AgentServer} AgentServer */
/** @typedef {import("node:http").Server} HttpServer */

/** So long runs may take to end when the server does. */
const END_MS = 5000;
/**
 * So long clients may read then how their runs ended. Streams of threads have no end of their own.
 */
const LAST_WORDS_MS = 300;

/**
 * @param {string[]} words
 * @param {string} version
 * @param {{ hasStudio?: boolean }} [also]
 * @returns {Promise<void>} it listens
 * @throws UsageError
 */
export async function serve(words, version, { hasStudio = false } = {}) {
  const options = readServeOptions(words, process.env);
  const elsewhere = hasStudio ? serverElsewhere(options.modules) : undefined;
  // The environment's token is for this command's server: no other one is told it.
  if (elsewhere !== undefined)
    return serveStudioOf(elsewhere, readServeOptions(words, {}), version);
  if (hasStudio) options.token ??= makeToken();
  const letGo = options.data === undefined ? () => {} : lockFolder(options.data);
  try {
    const graphs = await loadGraphs(options.modules, process.cwd());
    const agents = await makeServer(graphs, options);
    let isEnding = false;
    const http = createHttp(options, (request) => {
      if (isEnding && request.method !== "GET") return ending();
      return (hasStudio ? studioPage(request) : undefined) ?? agents.fetch(request).then(tellWhere);
    });
    await listen(http, options);
    endOnSignal(async () => {
      isEnding = true;
      const isDone = await end(http, agents);
      letGo();
      return isDone;
    });
    const where = options.data === undefined ? "in memory" : `in ${options.data}`;
    const names = Object.keys(graphs).join(", ");
    console.log(`weftgraph ${version} serves ${names}, threads ${where}`);
    tellAddresses(http, options, hasStudio);
  } catch (error) {
    letGo();
    throw error;
  }
}

/**
 * @param {string} address of a server that serves itself
 * @param {ServeOptions} options `token`: that server's
 * @param {string} version
 */
async function serveStudioOf(address, options, version) {
  const nothing = () => Response.json({ detail: "There is only the studio." }, { status: 404 });
  const http = createHttp(options, (request) => studioPage(request, address) ?? nothing());
  await listen(http, options);
  endOnSignal(() => end(http));
  console.log(`weftgraph ${version} shows the graphs of ${address}`);
  tellAddresses(http, options, true);
}

/**
 * @param {ServeOptions} options
 * @param {(request: Request) => Response | Promise<Response>} answer to whoever may ask
 */
function createHttp(options, answer) {
  const guard = makeGuard(options, tell);
  const fetch = (/** @type {Request} */ request) => guard(request) ?? answer(request);
  return createHttpServer(toNodeHandler({ fetch }, { onError: tellError }));
}

/** @param {HttpServer} http @param {ServeOptions} options @param {boolean} hasStudio */
function tellAddresses(http, { host, token }, hasStudio) {
  const secret = token === undefined ? "" : `#token=${encodeURIComponent(token)}`;
  const page = hasStudio ? `/studio${secret}` : "";
  for (const address of addressesOf(http, host)) console.log(`  ${address}${page}`);
}

/**
 * @param {Record<string, import("weftgraph/server").ServedGraph>} graphs
 * @param {ServeOptions} options
 */
async function makeServer(graphs, { data, token }) {
  const saver = data === undefined ? undefined : new FileSaver({ path: data });
  const agents = createServer({
    graphs,
    saver,
    store: saver === undefined ? new InMemoryStore() : new SaverStore(saver),
    authenticate: token === undefined ? undefined : tokenCheck(token),
    agui: handleAgUi,
    onError: tellError,
  });
  // Reads the records, so that a folder that cannot be read is found now.
  const { status } = await agents.fetch("http://localhost/ok");
  if (status === 500)
    throw new UsageError(
      `The threads in ${data} cannot be read: choose another folder with --data, or --memory.`,
    );
  return agents;
}

/**
 * @param {HttpServer} http
 * @param {ServeOptions} options
 * @returns {Promise<void>}
 * @throws UsageError
 */
function listen(http, { port, host }) {
  return new Promise((resolve, reject) => {
    http.once("error", (error) => {
      const code = codeOf(error);
      const why =
        code === "EADDRINUSE"
          ? `Port ${port} is in use: choose another one with --port, or --port 0 for any that is free.`
          : code === "EACCES"
            ? `You may not listen at port ${port}: choose one from 1024 up with --port.`
            : `Nothing can listen at ${host} (${code}): choose another address with --host.`;
      reject(new UsageError(why));
    });
    http.listen(port, host, resolve);
  });
}

/** @param {HttpServer} http @param {string} host @returns {string[]} */
function addressesOf(http, host) {
  const { port } = /** @type {import("node:net").AddressInfo} */ (http.address());
  const isEvery = host === "0.0.0.0" || host === "::";
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  const hosts = isEvery ? ["localhost", ...others.map(({ address }) => address)] : [host];
  return hosts.map((one) => `http://${one.includes(":") ? `[${one}]` : one}:${port}`);
}

/**
 * Cancels runs, whose streams end, and lets their readers go.
 * @param {HttpServer} http
 * @param {AgentServer} [agents]
 * @returns {Promise<boolean>} false: a run goes on
 */
async function end(http, agents) {
  const isDone = await Promise.race([
    Promise.resolve(agents?.close()).then(() => true),
    after(END_MS),
  ]);
  if (!isDone) tell("A run did not end, it is left as it is.");
  http.closeIdleConnections();
  const count = await new Promise((resolve) =>
    http.getConnections((_, number) => resolve(number ?? 0)),
  );
  if (count > 0) await after(LAST_WORDS_MS);
  http.close();
  http.closeAllConnections();
  return isDone;
}

/** @param {() => Promise<boolean>} stop */
function endOnSignal(stop) {
  let isEnding = false;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
    process.on(signal, async () => {
      // Who asks twice does not want to wait.
      if (isEnding) process.exit(1);
      isEnding = true;
      console.log("weftgraph: ending");
      process.exit((await stop()) ? 0 : 1);
    });
}

/**
 * Says where the reason of a failure is found: clients are not told it.
 * @param {Response} response
 */
function tellWhere(response) {
  if (response.status !== 500) return response;
  const detail = "The server failed at this request: the reason is told where it runs.";
  return new Response(JSON.stringify({ detail }), response);
}

function ending() {
  return Response.json({ detail: "The server ends." }, { status: 503 });
}

/** @param {number} ms @returns {Promise<false>} */
function after(ms) {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms));
}

/** @param {string} line */
function tell(line) {
  console.error(`weftgraph: ${line}`);
}

/** @param {unknown} error @param {import("weftgraph/server").FailedRun} [run] */
function tellError(error, run) {
  const what = run === undefined ? "a request" : `a run of thread ${run.thread_id}`;
  console.error(`weftgraph: ${what} failed:`, error);
}
