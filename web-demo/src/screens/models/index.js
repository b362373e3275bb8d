// SPDX-License-Identifier: MIT
// The models: which one the samples' agents ask. Owns the draft of the choice; nothing changes
// until it is used. Must not know: how it is drawn.
import { render } from "lit-html";
import { allowedSources, wrongAddress } from "../../models/addresses.js";
import { chosenOf } from "../../models/connect.js";
import { defineNotice } from "../../models/notice.js";
import { explain } from "../../models/problems.js";
import { serviceOf } from "../../models/services.js";
import { keepFocus } from "../keep-focus.js";
import { browserState, gpuState, prepareBrowser } from "./abilities.js";
import { styleText } from "./style.js";
import { modelsView } from "./view.js";

/** @typedef {import("../../models/settings.js").Choice} Choice */
/** @typedef {import("../../models/problems.js").Problem} Problem */
/**
 * What is drawn. `busy`: what is under way. `loading`: a part of a download, 0 to 1. `isAsked`:
 * whether a person has to agree to a download. `isOffline`: by the offline switch. `said`: for
 * screen readers.
 * @typedef {{ draft: Choice, key: string, inUse: boolean, used: Choice, browser: string |
 *   undefined, gpu: string | undefined, names: readonly string[] | undefined, tested:
 *   import("../../models/commands.js").Tested | undefined, problem: Problem | undefined, complaint:
 *   { field: "url" | "model" | "key", text: string } | undefined, busy: "test" | "list" | "load" |
 *   undefined, loading: { part: number, text: string } | undefined, isAsked: boolean, isLoaded:
 *   boolean, isOffline: boolean, said: string }} Shown
 */
/**
 * What a person can do.
 * @typedef {{ set: (change: Partial<Choice>, key?: string) => void, service: (id: string) => void,
 *   test: () => void, list: () => void, use: () => void, ask: (isAsked: boolean) => void, load: ()
 *   => void, cancel: () => void, prepare: () => void, act: (act: string) => void }} Acts
 */

const PROGRESS_MS = 400;

/**
 * Shows the screen.
 * @param {HTMLElement} main
 * @param {{ engine: import("../../worker/engine.js").Engine, settings:
 *   import("../../models/settings.js").Settings, offline:
 *   import("../../models/offline-switch.js").OfflineSwitch, go: (address: string) => void }}
 *   context
 */
export function open(main, { engine, settings, offline, go }) {
  const over = new AbortController();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleText);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  defineNotice();
  /** Counts drafts: what is told of an older one is dropped. */
  let version = 0;
  /** @type {Shown} */
  const shown = {
    draft: { ...settings.choice },
    key: settings.keyFor(),
    inUse: true,
    used: settings.choice,
    browser: undefined,
    gpu: undefined,
    names: undefined,
    tested: undefined,
    problem: undefined,
    complaint: undefined,
    busy: undefined,
    loading: undefined,
    isAsked: false,
    isLoaded: false,
    isOffline: offline.isOn,
    said: "",
  };
  const draw = () => {
    if (!over.signal.aborted) keepFocus(main, () => render(modelsView(shown, acts), main));
  };
  /** @param {Partial<Shown>} change */
  const show = (change) => {
    Object.assign(shown, change);
    draw();
  };
  const forgotten = { tested: undefined, problem: undefined, complaint: undefined };

  /** @type {Acts} */
  const acts = {
    set(change, key = shown.key) {
      version++;
      const isOther = change.source !== undefined || change.url !== undefined;
      const draft = { ...shown.draft, ...change };
      const kept = change.url === undefined || shown.key !== settings.keyFor(shown.draft.url);
      show({
        draft,
        key: kept ? key : settings.keyFor(draft.url),
        inUse: isSame(draft, kept ? key : settings.keyFor(draft.url)),
        isAsked: false,
        ...(isOther && { names: undefined, busy: undefined }),
        ...forgotten,
      });
    },
    service(id) {
      const { url } = serviceOf(id);
      show({ key: settings.keyFor(url) });
      acts.set({ service: id, url, model: "" }, settings.keyFor(url));
    },
    async use() {
      if (!isRight(true)) return;
      settings.choose(tidied(), shown.draft.source === "service" ? shown.key.trim() : undefined);
      show({ used: settings.choice, inUse: true, said: "The order desk asks this model now." });
    },
    async test() {
      if (!isRight(true)) return;
      const tested = await asked("test", "model-test");
      if (tested !== undefined) show({ tested, said: tested.usesTools ? "It answers." : "" });
    },
    async list() {
      if (!isRight(false)) return;
      const names = await asked("list", "model-list");
      if (names === undefined) return;
      show({ names, said: `${names.length} models` });
      /** @type {HTMLElement | null} */ (main.querySelector("#model"))?.focus();
    },
    ask: (isAsked) => show({ isAsked }),
    load,
    cancel: () => engine.ask("model-cancel").catch(() => {}),
    async prepare() {
      show({ busy: "load", loading: { part: 0, text: "Downloading" }, ...forgotten });
      try {
        await prepareBrowser((part) => show({ loading: { part, text: "Downloading" } }));
        show({ browser: await browserState() });
      } catch (error) {
        show({ problem: explain({ ...fields(error), source: "browser" }) });
      }
      show({ busy: undefined, loading: undefined });
    },
    act(act) {
      const isUnloaded = shown.draft.source === "webllm" && !shown.isLoaded;
      if (act === "retry") (isUnloaded ? load : acts.test)();
      if (act === "new") go("#/work");
      const { source } = shown.draft;
      const field = shown.problem?.kind === "key" ? "#key" : "#url";
      if (act === "models" && source === "service")
        /** @type {HTMLElement | null} */ (main.querySelector(field))?.focus();
    },
  };

  /** @param {Choice} draft @param {string} key */
  function isSame(draft, key) {
    const { choice } = settings;
    if (draft.source !== choice.source) return false;
    if (draft.source === "webllm") return draft.webllm === choice.webllm;
    if (draft.source !== "service") return true;
    const isKey = key === settings.keyFor(draft.url);
    return isKey && draft.url === choice.url && draft.model === choice.model;
  }

  /** @returns {Choice} */
  function tidied() {
    const { draft } = shown;
    return { ...draft, url: draft.url.trim(), model: draft.model.trim() };
  }

  /** Is the draft complete? Says what is missing. @param {boolean} withModel */
  function isRight(withModel) {
    const { draft, key } = shown;
    if (draft.source !== "service") return true;
    const place = { sources: allowedSources(document), origin: location.origin };
    const wrong = wrongAddress(draft.url, place);
    const needsModel = withModel && draft.model.trim() === "";
    /** @type {Shown["complaint"]} */
    const complaint =
      wrong !== undefined
        ? { field: "url", text: wrong }
        : /[^\x21-\x7e]/.test(key.trim())
          ? { field: "key", text: "A key has no spaces and no special letters: copy it again." }
          : needsModel
            ? { field: "model", text: "Give the service's name of a model, or list its models." }
            : undefined;
    show({ ...forgotten, complaint });
    if (complaint !== undefined)
      /** @type {HTMLElement | null} */ (main.querySelector(`#${complaint.field}`))?.focus();
    return complaint === undefined;
  }

  /**
   * Asks the worker about the draft.
   * @param {"test" | "list"} busy @param {string} command
   */
  async function asked(busy, command) {
    const asking = ++version;
    show({ busy, ...forgotten });
    let told;
    try {
      told = await engine.ask(command, chosenOf(tidied(), shown.key.trim()));
    } catch (error) {
      told = { failure: { ...fields(error), message: "The engine was stopped: try again." } };
    }
    if (asking !== version || over.signal.aborted) return undefined;
    show({ busy: undefined });
    if (told.failure === undefined) return told.value;
    show({ problem: explain(told.failure) });
    return undefined;
  }

  async function load() {
    show({ busy: "load", isAsked: false, loading: { part: 0, text: "Loading" }, ...forgotten });
    const timer = setInterval(async () => {
      const loading = await engine.ask("model-progress").catch(() => undefined);
      if (loading !== undefined && shown.busy === "load") show({ loading });
    }, PROGRESS_MS);
    try {
      await engine.ask("model-load", { webllm: shown.draft.webllm });
      show({ isLoaded: true, said: "The model is loaded." });
    } catch (error) {
      if (/** @type {any} */ (error).code === "CANCELLED") show({ said: "Cancelled." });
      else show({ problem: explain({ ...fields(error), source: "webllm" }) });
    }
    clearInterval(timer);
    show({ busy: undefined, loading: undefined });
  }

  const { signal } = over;
  offline.addEventListener("change", () => show({ isOffline: offline.isOn }), { signal });
  browserState().then((browser) => show({ browser }));
  gpuState().then((gpu) => show({ gpu }));
  draw();
  return {
    close() {
      over.abort();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/** @param {any} error */
function fields(error) {
  return { name: String(error?.name), message: String(error?.message), code: error?.code };
}
