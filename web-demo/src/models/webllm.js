// SPDX-License-Identifier: MIT
// Loads WebLLM and one of its models into this worker, when a person has agreed to the download.
// The library is a file of this site; the model's comes from where WebLLM keeps it.
/*! Contains WebLLM, https://github.com/mlc-ai/web-llm: Apache License 2.0,
 * https://www.apache.org/licenses/LICENSE-2.0 */
import { MLCEngine, hasModelInCache } from "@mlc-ai/web-llm";
import { ModelError, ChatWebLLM } from "weftgraph/models/webllm";
import { OfflineError, isOffline } from "./offline.js";

/** What is loaded, or on its way. @type {{ id: string, engine: Promise<any> } | undefined} */
let loaded;
/** @type {{ text: string, part: number }} */
let progress = { text: "", part: 0 };
let cancel = () => {};

/**
 * A new worker loads by itself what an earlier one has downloaded.
 * @param {string} id of the model
 * @returns {Promise<any>} a chat model
 * @throws ModelError
 */
export async function webllmModel(id) {
  if (loaded?.id !== id && (await hasModelInCache(id))) await loadWebllm(id);
  if (loaded?.id !== id)
    throw new ModelError("The model is not loaded in this tab: load it under Models.", {
      code: "NOT_LOADED",
    });
  return new ChatWebLLM({ engine: await loaded.engine, extraBody: { enable_thinking: false } });
}

/** Loads a model, in the place of another one. @param {string} id @throws OfflineError */
export async function loadWebllm(id) {
  if (isOffline() && loaded?.id !== id && !(await hasModelInCache(id)))
    throw new OfflineError("huggingface.co");
  if (loaded?.id !== id) {
    const before = loaded?.engine;
    progress = { text: "Loading", part: 0 };
    const made = new MLCEngine({
      initProgressCallback: (/** @type {any} */ { text, progress: part }) => {
        progress = { text, part };
      },
    });
    let [isDone, isOver] = [false, false];
    const cancelled = new Promise((_, reject) => {
      cancel = () => {
        if (isDone) return;
        isOver = true;
        reject(new ModelError("The download was cancelled.", { code: "CANCELLED" }));
        made.unload();
      };
    });
    const load = async () => {
      await (await before?.catch(() => undefined))?.unload();
      if (!isOver) await made.reload(id);
      // It may have been too late to stop it.
      if (isOver) await made.unload();
      isDone = true;
      return made;
    };
    loaded = { id, engine: Promise.race([load(), cancelled]) };
  }
  const { engine } = loaded;
  try {
    await engine;
  } catch (error) {
    if (loaded?.engine === engine) loaded = undefined;
    throw error;
  }
}

/** Ends a download that is under way. */
export const cancelWebllm = () => cancel();

/** How far the download is: 0 to 1. */
export const webllmProgress = () => progress;
