// SPDX-License-Identifier: MIT
// The table of what fails in this tab: its own models, runs, storage, the engine.
/** @typedef {import("./problems.js").Row} Row */

/** @param {...string} codes @returns {Row["when"]} */
const coded =
  (...codes) =>
  ({ code = "" }) =>
    codes.includes(code);

/** @type {readonly Row[]} */
export const RUN_ROWS = [
  {
    kind: "not-loaded",
    when: coded("NOT_LOADED"),
    title: "The model is not loaded in this tab",
    text: "A model in the tab is gone with a reload or a pulled plug. Load it again: the download is kept.",
    acts: ["models"],
  },
  {
    kind: "not-downloaded",
    when: ({ source }, words) =>
      source === "webllm" && /fetch|network|\bcache\b|ERR_INTERNET/i.test(words),
    title: "The model could not be downloaded",
    text: "It comes from huggingface.co and raw.githubusercontent.com. Is there a network, and room in the browser's storage? What had come is kept.",
    acts: ["retry", "models"],
  },
  {
    kind: "no-gpu",
    when: ({ code = "", source }, words) =>
      source === "webllm" && /webgpu|gpu/i.test(`${code} ${words}`),
    title: "This browser has no WebGPU for the model",
    text: "Models in the tab need it, and enough graphics memory. Choose a smaller model or another kind.",
    acts: ["models"],
  },
  {
    kind: "no-browser-model",
    when: ({ code, source }) =>
      source === "browser" && (code === "UNAVAILABLE" || code === "NOT_SUPPORTED"),
    title: "This browser has no model of its own",
    text: "Chrome and Edge have one on some desktop computers. Choose another model.",
    acts: ["models"],
  },
  {
    kind: "download",
    when: coded("NOT_ALLOWED"),
    title: "The browser's model has to be loaded first",
    text: "The download begins with a click on its button.",
    acts: ["models"],
  },
  {
    kind: "bad-key",
    when: ({ name, source }, words) =>
      source === "service" && name === "TypeError" && /header|ByteString|ISO-8859-1/i.test(words),
    title: "The key has characters that no key has",
    text: "Copy it again, without spaces and quotes.",
    acts: ["models"],
  },
  {
    kind: "in-tab",
    when: ({ source }) => source === "webllm" || source === "browser",
    title: "The model in this tab failed",
    text: "Try again, or choose another model.",
    acts: ["retry", "models"],
  },
  {
    kind: "steps",
    when: coded("GRAPH_RECURSION_LIMIT"),
    title: "The run used up its steps",
    text: "It was stopped after as many steps as it may take. Go on from the last one, or ask in other words.",
    acts: ["retry"],
  },
  {
    kind: "storage-full",
    when: coded("QUOTA"),
    title: "The browser's storage is full",
    text: "What was kept is not lost; this run's last step is not kept. Save all threads as a file, delete some in the list of threads, then try again.",
    acts: ["threads", "retry"],
  },
  {
    kind: "storage-emptied",
    when: coded("EMPTIED"),
    title: "This site's storage was emptied",
    text: "The threads that were kept in this browser are gone, this one among them. Go on with new ones.",
    acts: ["load"],
  },
  {
    kind: "storage",
    when: coded("STORE"),
    title: "The browser's storage failed",
    text: "Nothing that was shown as kept is lost. Read the thread again.",
    acts: ["load"],
  },
  {
    kind: "lost",
    when: coded("DATA_LOSS", "CORRUPT_LOG"),
    title: "The stored thread is damaged",
    text: "It is not continued, so that nothing gets worse. Other threads are not affected.",
    acts: ["new"],
  },
  {
    kind: "elsewhere",
    when: coded("FENCED"),
    title: "Another tab has continued this thread",
    text: "What this tab was doing was not kept; nothing that was kept is lost.",
    acts: ["load"],
  },
  {
    kind: "engine",
    when: coded("ENGINE_TRAPPED", "MEMORY_LIMIT"),
    title: "The engine stopped",
    text: "It goes on from what is stored. Read the thread again.",
    acts: ["load"],
  },
];
