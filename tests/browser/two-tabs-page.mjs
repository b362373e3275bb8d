// SPDX-License-Identifier: MIT
// What a tab of the browser tests can do: run a graph whose node waits until it is let go, follow a
// thread, write with a witness on the server, ask for storage, write more than there is room for.
import { Annotation, Command, START, StateGraph, interrupt } from "../../js/index.js";
import { IdbfsSaver } from "../../js/savers/idbfs/saver.js";
import { watchThread } from "../../js/savers/maintenance/watch.js";

const State = Annotation.Root({
  count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }),
});
const gates = [];

function graphOn(prefix) {
  const checkpointer = new IdbfsSaver({ prefix });
  const graph = new StateGraph(State)
    .addNode("work", async () => {
      await new Promise((resolve) => gates.push(resolve));
      return { count: 1 };
    })
    .addNode("more", () => ({ count: 10 }))
    .addEdge(START, "work")
    .addEdge("work", "more")
    .compile({ checkpointer });
  return { graph, checkpointer };
}

/** A graph that sends what a person says, if one says so. */
function askingOn(prefix) {
  if (!kept.has(prefix)) {
    const sent = [];
    const graph = new StateGraph(Annotation.Root({ said: Annotation }))
      .addNode("ask", () => {
        const said = interrupt("send it?");
        sent.push(said);
        return { said };
      })
      .addEdge(START, "ask")
      .compile({ checkpointer: new IdbfsSaver({ prefix }) });
    kept.set(prefix, { graph, sent });
  }
  return kept.get(prefix);
}

/** A tab's graphs live as long as it does. */
const kept = new Map();

/** A witness outside the origin's storage: on its server. */
const witness = {
  get: async (threadId) => (await fetch(`/witness/${threadId}`)).json(),
  set: async (threadId, head) =>
    void (await fetch(`/witness/${threadId}`, {
      method: "PUT",
      body: JSON.stringify(head ?? null),
    })),
};

const codeOf = (error) => error.code ?? `${error}`;
const configOf = (threadId) => ({ configurable: { thread_id: threadId } });

globalThis.tab = {
  /** Starts a run; `outcome` tells how it ended. */
  start(prefix, threadId, multitaskStrategy, durability) {
    if (!kept.has(prefix)) kept.set(prefix, graphOn(prefix));
    globalThis.outcome = kept
      .get(prefix)
      .graph.invoke({}, { ...configOf(threadId), multitaskStrategy, durability })
      .then(({ count }) => count, codeOf);
  },
  isWorking: () => gates.length > 0,
  /** Holds a transaction that may write open on every database of a prefix, until `release`. */
  async hold(prefix) {
    globalThis.held = true;
    const names = (await indexedDB.databases())
      .map(({ name }) => name)
      .filter((name) => name.includes(prefix));
    await Promise.all(
      names.map(async (name) => {
        const db = await new Promise((resolve, reject) =>
          Object.assign(indexedDB.open(name), {
            onsuccess: (event) => resolve(event.target.result),
            onerror: reject,
          }),
        );
        const store = db
          .transaction([...db.objectStoreNames], "readwrite")
          .objectStore(db.objectStoreNames[0]);
        await new Promise((resolve) => {
          const goOn = () => {
            resolve();
            if (globalThis.held) store.get("none").onsuccess = goOn;
            else db.close();
          };
          store.get("none").onsuccess = goOn;
        });
      }),
    );
    return names.length;
  },
  release: () => void (globalThis.held = false),
  open() {
    for (const gate of gates.splice(0)) gate();
  },
  outcome: () => globalThis.outcome,
  /** Notes each change of a thread, with the state that was there to be read when it was told. */
  follow(prefix, threadId) {
    const { graph, checkpointer } = graphOn(prefix);
    globalThis.heard = [];
    watchThread(checkpointer, threadId, async ({ seq }) => {
      const entry = { seq };
      globalThis.heard.push(entry);
      entry.count = (await graph.getState(configOf(threadId))).values.count;
    });
  },
  heard: () => globalThis.heard,
  /** Runs up to the question, which it answers. */
  ask: async (prefix, threadId) =>
    (await askingOn(prefix).graph.invoke({}, configOf(threadId))).__interrupt__[0].value,
  /** The question that waits, or null. */
  asked: async (prefix, threadId) =>
    (await askingOn(prefix).graph.getState(configOf(threadId))).tasks[0]?.interrupts[0]?.value ??
    null,
  /**
   * What this tab has sent since it was opened, once the question is answered; or how that failed.
   */
  answer: async (prefix, threadId, said) => {
    const { graph, sent } = askingOn(prefix);
    const code = await graph
      .invoke(new Command({ resume: said }), configOf(threadId))
      .then(() => undefined, codeOf);
    return { sent, ...(code && { code }) };
  },
  /** One turn, told to the witness when it is over. */
  async witnessed(prefix, threadId) {
    const checkpointer = new IdbfsSaver({ prefix, witness });
    const graph = new StateGraph(State)
      .addNode("add", () => ({ count: 1 }))
      .addEdge(START, "add")
      .compile({ checkpointer });
    return graph.invoke({}, configOf(threadId)).then(({ count }) => count, codeOf);
  },
  quota: () => new IdbfsSaver({ prefix: "quota" }).quota(),
  /**
   * One turn that adds a text of so many letters: how it ended, how long it took, and what can be
   * read then.
   */
  async write(threadId, letters) {
    const graph = new StateGraph(
      Annotation.Root({ texts: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) }),
    )
      .addNode("add", () => ({}))
      .addEdge(START, "add")
      .compile({ checkpointer: new IdbfsSaver({ prefix: "quota" }) });
    const text = Array.from({ length: letters / 8 }, () =>
      Math.random().toString(36).slice(2, 10),
    ).join("");
    const started = performance.now();
    const code = await graph.invoke({ texts: [text] }, configOf(threadId)).then(() => "OK", codeOf);
    const ms = performance.now() - started;
    return {
      code,
      ms,
      texts: (await graph.getState(configOf(threadId))).values.texts?.length ?? 0,
    };
  },
  remove: (prefix, threadId) => new IdbfsSaver({ prefix }).deleteThread(threadId),
};
