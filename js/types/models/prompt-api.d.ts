// SPDX-License-Identifier: MIT
// Declares a chat model of the browser's own model (Prompt API).
import { ChatTextTools } from "./text-tools.js";
import type { TabModelOptions } from "./tab-model.js";

export { ModelError } from "./tab-model.js";
export type { TabModelOptions } from "./tab-model.js";

/** The global `LanguageModel`, or an object with the same functions. */
export interface LanguageModelLike {
  /**
   * @param options those of the Prompt API: `expectedInputs`, `initialPrompts`, `monitor`, `signal`
   *   …
   */
  create(options?: any): PromiseLike<any>;
  /**
   * @param options what a session shall take: those of `create` without `initialPrompts`, `monitor`
   *   and `signal`
   */
  availability(options?: any): PromiseLike<string>;
}
/** A kind of input or output, and the languages in it. */
export interface ExpectedContent {
  type: "text" | "image" | "audio";
  /** BCP 47 tags, for example "en". */
  languages?: string[];
}
/** How freely the model writes. */
export type SamplingMode =
  | "most-predictable"
  | "predictable"
  | "balanced"
  | "creative"
  | "most-creative";

/** Options of the model and of its sessions. */
export interface ChatPromptAPIOptions extends TabModelOptions {
  /** The API. Default: the global `LanguageModel`, looked for at each call. */
  languageModel?: LanguageModelLike;
  /** What goes in. Default: text, and pictures and sound if a conversation has some. */
  expectedInputs?: ExpectedContent[];
  /** What comes out: text, in which languages. */
  expectedOutputs?: ExpectedContent[];
  samplingMode?: SamplingMode;
  /** Only in extensions of the browser. */
  temperature?: number;
  /** Only in extensions of the browser. */
  topK?: number;
  /** Maximum sessions to keep for later calls. Default 4. */
  maxSessions?: number;
}

/** Options of loading. */
export interface PrepareOptions {
  /**
   * Called while the model is downloaded.
   * @param loaded part that has arrived, 0 to 1
   */
  onProgress?: (loaded: number) => unknown;
  /** Aborts the loading, which then rejects with an AbortError. */
  signal?: AbortSignal;
}

/**
 * A chat model that the browser has by itself (Chrome and Edge on desktops, in pages but not in
 * workers). Sessions are kept by the conversation that they hold, so that only what is new is sent.
 * Calls reject with a ModelError: `UNAVAILABLE` where there is no such model, `NOT_ALLOWED` if its
 * download needs a click, `NOT_SUPPORTED`, `context_overflow`.
 * @example
 * ```ts part
 * const llm = new ChatPromptAPI({ expectedOutputs: [{ type: "text", languages: ["en"] }] });
 * button.onclick = () => llm.prepare({ onProgress: (loaded) => { bar.value = loaded; } });
 * const agent = createReactAgent({ llm, tools: [weather] });
 * ```
 */
export class ChatPromptAPI extends ChatTextTools {
  /**
   * @param options what the model reads and writes, and limits
   * @throws BAD_ARGUMENT if options is no object
   */
  constructor(options?: ChatPromptAPIOptions);
  /** Says whether the model can be used; one that is downloadable needs `prepare`. */
  availability(): Promise<"unavailable" | "downloadable" | "downloading" | "available">;
  /**
   * Loads the model, and downloads it if it must; to be called in the handler of a click.
   * @param options how progress is reported and the loading is aborted
   * @throws ModelError `UNAVAILABLE`, `NOT_ALLOWED`
   */
  prepare(options?: PrepareOptions): Promise<void>;
  /** Destroys the kept sessions; later calls work, but keep none. */
  close(): void;
  /** The same as `close`. */
  dispose(): void;
  static lc_name(): string;
}
