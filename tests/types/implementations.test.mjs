// SPDX-License-Identifier: MIT
// Assigns each value that the package exports to its declaration, name by name. Where TypeScript
// cannot hold that, for a reason that the table states, it compares what can be compared: the
// number of parameters, the names of members, the keys of options.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { Runnable } from "../../js/runnable/runnable.js";
import { sharedHost } from "./host.mjs";

const top = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(top, "build/types-of-exports");
const { exports } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const { config } = ts.readConfigFile(join(top, "tsconfig.json"), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, top);

/** @typedef {{ entry: string, js: string, types: string }} Entry */
/** @type {Entry[]} */
/** What built files are made of. */
const SOURCES = { "./js/studio/studio.js": "./web-demo/src/studio/index.js" };
const ENTRIES = Object.entries(exports).flatMap(([entry, target]) =>
  target.types === undefined
    ? []
    : [{ entry, js: SOURCES[target.default] ?? target.default, types: target.types }],
);

/** Names that cannot be assigned, by reason. A name that can be must leave the table. */
const REASONS = {
  "members that a function or the base class of @langchain/core adds": [
    "AIMessage",
    "AIMessageChunk",
    "BaseMessage",
    "BaseMessageChunk",
    "ChatMessage",
    "ChatMessageChunk",
    "DeltaValue",
    "EventLog",
    "FunctionMessage",
    "FunctionMessageChunk",
    "Graph",
    "HumanMessage",
    "HumanMessageChunk",
    "ReducedValue",
    "RemoveMessage",
    "StateSchema",
    "StreamChannel",
    "SystemMessage",
    "SystemMessageChunk",
    "ToolMessage",
    "ToolMessageChunk",
    "UntrackedValue",
    "ValidationNode",
    "Channel",
    "Pregel",
    "PregelNode",
    "RemoteGraph",
  ],
  "members that are types only, or stand under a symbol": [
    "Annotation",
    "COMMAND_SYMBOL",
    "Command",
    "CommandInstance",
    "IsLastStep",
    "MessageGraph",
    "MessagesAnnotation",
    "MessagesDeltaValue",
    "MessagesValue",
    "RemainingSteps",
    "StateGraph",
    "createReactAgentAnnotation",
    "createSupervisor",
    "createSwarm",
    "createSwarmState",
  ],
  "private members, of which each of the two classes has its own": [
    "AsyncBatchedStore",
    "filterLifecycleEntries",
    "filterSubgraphHandles",
    "LanggraphZodMetaRegistry",
    "getConfigTypeSchema",
    "getInputTypeSchema",
    "getOutputTypeSchema",
    "getStateTypeSchema",
    "getUpdateTypeSchema",
    "copyThread",
    "exportThread",
    "exportThreads",
    "importThread",
    "importThreads",
    "keepPruned",
    "pruneThread",
    "pruneThreads",
    "watchThread",
    "watchThreads",
    "resealThreads",
    "sealSaver",
  ],
  "a narrower type than a comment states": [
    "BaseChannel",
    "BaseCheckpointSaver",
    "BaseStore",
    "ChatModelStreamImpl",
    "InMemoryStore",
    "MemorySaver",
    "MessagesZodState",
    "STREAM_EVENTS_V3_MODES",
    "createLifecycleTransformer",
    "entrypoint",
    "ToolExecutor",
    "ToolNode",
    "ReactAgent",
    "createAgent",
    "createMiddleware",
    "ClearToolUsesEdit",
    "contextEditingMiddleware",
    "anthropicPromptCachingMiddleware",
    "dynamicSystemPromptMiddleware",
    "humanInTheLoopMiddleware",
    "llmToolSelectorMiddleware",
    "modelCallLimitMiddleware",
    "modelFallbackMiddleware",
    "modelRetryMiddleware",
    "piiMiddleware",
    "summarizationMiddleware",
    "todoListMiddleware",
    "toolCallLimitMiddleware",
    "toolEmulatorMiddleware",
    "toolErrorMiddleware",
    "toolRetryMiddleware",
    "toolStrategy",
    "ProviderStrategy",
    "ToolStrategy",
    "createHandoffTool",
    "reviewToolCalls",
    "ChannelWrite",
    "channelsFromCheckpoint",
    "SUPPORTED_CHANNELS",
    "inferChannel",
    "registry",
    "ChatAISDK",
    "fromAISDK",
    "ChatTextTools",
    "ChatPromptAPI",
    "ChatWebLLM",
    "toolsByText",
    "DemoModel",
    "ScriptedModel",
    "BaseCache",
    "DeltaSnapshot",
    "MemoryStore",
    "SaverStore",
    "IdbfsSaver",
    "DurableObjectSaver",
    "DenoKvSaver",
    "KvSaver",
    "FileSaver",
    "drawSvg",
  ],
  "type parameters that a comment does not state": [
    "CompiledStateGraph",
    "GraphRunStream",
    "MessagesZodMeta",
    "Send",
    "SubgraphRunStream",
    "Tool",
    "createGraphRunStream",
    "createSubgraphDiscoveryTransformer",
    "tool",
    "Topic",
    "SchemaMetaRegistry",
    "schemaMetaRegistry",
    "ChatAnthropicMessages",
    "ChatGemini",
    "ChatWorkersAI",
    "ChatOpenAICompatible",
    "ChatOpenAIResponses",
    "WeftSaver",
    "replay",
  ],
  "its class or the type that it tests for stands below": [
    "isAIMessage",
    "isAIMessageChunk",
    "isBaseMessage",
    "isBaseMessageChunk",
    "isChatMessage",
    "isChatMessageChunk",
    "isCommand",
    "isFunctionMessage",
    "isFunctionMessageChunk",
    "isHumanMessage",
    "isHumanMessageChunk",
    "isInterrupted",
    "isNativeTransformer",
    "isRemoveMessage",
    "isSerializableSchema",
    "isStandardSchema",
    "isSystemMessage",
    "isSystemMessageChunk",
    "isToolMessage",
    "isToolMessageChunk",
    "isSupportedChannel",
    "isDeltaSnapshot",
  ],
};

/** Lower it when there are fewer. */
const MOST_OPEN = 191;
/** Differences that may stand, by reason. */
const KNOWN = {
  "for modules of this package": [
    ...[
      "AsyncBatchedStore.batched",
      "BaseStore.batched",
      "ChannelWrite.write",
      "ChatOpenAICompatible.requestHeaders",
      "DeltaChannel.fold",
      "DeltaChannel.initialValueFactory",
      "DeltaChannel.operator",
      "InMemoryStore.embed",
      "InMemoryStore.keep",
      "InMemoryStore.takeChanges",
      "InMemoryStore.wholeAsChanges",
      "SaverStore.keep",
    ].map((name) => `${name.replace(".", ".prototype.")} is not declared`),
    "CompiledStateGraph: takes 3 parameters, 2 are declared",
    "Pregel: takes 3 parameters, 1 are declared",
    "createMessagesTransformer: takes 3 parameters, 2 are declared",
    "IdbfsSaver: takes instance, which is not declared",
  ],
  "refuses a former parameter": ["Graph", "MessageGraph", "StateGraph"].map(
    (name) => `${name}.prototype.addConditionalEdges: takes 4 parameters, 3 are declared`,
  ),
  "a parameter of LangGraph that is not read": [
    "AsyncBatchedStore.prototype.batch: takes 0 parameters, 1 are declared",
    "Pregel.prototype.getGraph: takes 0 parameters, 1 are declared",
    "PregelNode.prototype.getName: takes 0 parameters, 1 are declared",
    "RemoteGraph.prototype.streamEvents: takes 2 parameters, 3 are declared",
    "UntrackedValueChannel.prototype.fromCheckpoint: takes 0 parameters, 1 are declared",
    "ValidationNode.prototype.invoke: takes 1 parameters, 2 are declared",
  ],
  "a Runnable's, of which a tool's declaration names less": [
    ...["Tool", "ToolExecutor"].flatMap((name) => [
      `${name}.prototype.getName: takes 1 parameters, 0 are declared`,
      `${name}.prototype.batch: takes 3 parameters, 2 are declared`,
    ]),
    "RemoteGraph.prototype.getGraph: takes 1 parameters, 0 are declared",
  ],
  "a mark that Command sets": ["CommandInstance: takes no lg_name, which is declared"],
  "each subclass has its own": [
    "BaseChannel.prototype.fromCheckpoint is declared only",
    "BaseChannel.prototype.update is declared only",
  ],
};

const importable = (path) => `./${relative(folder, join(top, path))}`.replace(/\.d\.ts$/, ".js");

/**
 * Compiles a module that assigns what each entry exports to what it declares.
 * @param {Entry[]} entries
 * @param {string} name of the module
 * @returns what TypeScript says by name, and the two types of each name; a name that several
 *   entries have counts once
 */
async function assign(entries, name) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  const seen = new Map();
  const lines = [];
  const values = [];
  for (const [at, { js, types }] of entries.entries()) {
    const module = await import(pathToFileURL(join(top, js)).href);
    lines.push(
      `import * as impl${at} from "${importable(js)}";`,
      `import type * as decl${at} from "${importable(types)}";`,
    );
    for (const [name, value] of Object.entries(module)) {
      if (seen.has(name) && seen.get(name) === value) continue;
      seen.set(name, value);
      values.push(value);
      lines.push(`impl${at}.${name} satisfies typeof decl${at}.${name};`);
    }
  }
  writeFileSync(file, lines.join("\n"));
  const program = ts.createProgram([file], options, sharedHost(options));
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const problems = new Map();
  for (const { start, messageText } of program.getSemanticDiagnostics(source)) {
    const line = lines[source.getLineAndCharacterOfPosition(start).line];
    problems.set(
      /^impl\d+\.(\w+)/.exec(line)?.[1] ?? line,
      ts.flattenDiagnosticMessageText(messageText, "\n"),
    );
  }
  const pairs = source.statements.filter(ts.isExpressionStatement).map(({ expression }, at) => ({
    value: values[at],
    name: expression.expression.name.text,
    made: checker.getTypeAtLocation(expression.expression),
    declared: checker.getTypeFromTypeNode(expression.type),
  }));
  return { checker, problems, pairs };
}

/**
 * The keys of an object of options, which is no class, list or function; undefined where any key
 * may stand in it.
 */
function keysOf(checker, type) {
  const parts = type.isUnion() ? type.types : [type];
  const keys = new Set();
  for (const part of parts) {
    if (part.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return undefined;
    if (
      !(part.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) ||
      checker.isArrayLikeType(part)
    )
      continue;
    if (
      part.getCallSignatures().length > 0 ||
      part.getConstructSignatures().length > 0 ||
      part.isClass() ||
      part.symbol?.flags & ts.SymbolFlags.Class
    )
      continue;
    if (checker.getIndexInfosOfType(part).length > 0) return undefined;
    const names = part.getProperties().map(({ name }) => name);
    // A symbol's name begins so: a stream or an iterator has one.
    if (!names.some((name) => name.startsWith("__@"))) for (const name of names) keys.add(name);
  }
  return keys;
}

const isPublic = (name) => !/^(_|#|lc_|lg_|prototype$|toString$|toJSON)/.test(name);
/** Members that are types only: no program reads them. */
const isTypeOnly = (name) =>
  /^(~|ValueType$|InputType$|UpdateType$|State$|Update$|Node$)/.test(name);
/** What every Runnable has, which declarations of tools and the like leave out. */
const OF_RUNNABLES = new Set([
  "isRunnable",
  ...[Runnable.prototype, Object.getPrototypeOf(Runnable.prototype)].flatMap((one) =>
    Object.getOwnPropertyNames(one),
  ),
]);
const isRest = ({ valueDeclaration }) => valueDeclaration?.dotDotDotToken !== undefined;
const isAbstract = (symbol) =>
  symbol.declarations?.some((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Abstract);
const missing = (from, names) => [...from].filter((name) => !names.has(name));
const signaturesOf = (type) => [...type.getCallSignatures(), ...type.getConstructSignatures()];

/** Objects with declared keys, which an implementation takes as any object. */
const open = new Set();
/** Methods of implementations that were compared: a subclass does not repeat them. */
const told = new Set();

/**
 * What differs between an implementation and its declaration, in what can be compared of all of
 * them.
 */
function differences(checker, { name, value, made, declared }) {
  const found = [];
  const typeOf = (symbol) => checker.getTypeOfSymbol(symbol);
  const compareCalls = (place, made, declared) => {
    const [ours, theirs] = [made, declared].map(signaturesOf);
    if (made.flags & ts.TypeFlags.Any) return;
    if ((ours.length === 0) !== (theirs.length === 0))
      found.push(`${place}: only one is a function`);
    if (ours.length === 0 || theirs.length === 0) return;
    const most = (list) =>
      Math.max(
        ...list.map(({ parameters }) => (parameters.some(isRest) ? Infinity : parameters.length)),
      );
    const fixed = (list) =>
      Math.max(...list.map(({ parameters }) => parameters.filter((one) => !isRest(one)).length));
    if (most(ours) < Infinity && most(theirs) < Infinity && most(ours) !== most(theirs))
      found.push(`${place}: takes ${most(ours)} parameters, ${most(theirs)} are declared`);
    for (let at = 0; at < Math.min(fixed(ours), fixed(theirs)); at++) {
      const keys = (list) => {
        const sets = list.flatMap(({ parameters }) =>
          parameters[at] === undefined ? [] : [keysOf(checker, typeOf(parameters[at]))],
        );
        return sets.includes(undefined) ? undefined : new Set(sets.flatMap((set) => [...set]));
      };
      const [taken, named] = [keys(ours), keys(theirs)];
      if (named === undefined || named.size === 0) continue;
      if (taken === undefined) {
        open.add(`${place}, parameter ${at + 1}`);
        continue;
      }
      for (const key of missing(named, taken))
        found.push(`${place}: takes no ${key}, which is declared`);
      for (const key of missing(taken, named))
        found.push(`${place}: takes ${key}, which is not declared`);
    }
  };
  const compareMembers = (place, made, declared, value) => {
    const [ours, theirs] = [made, declared].map(
      (type) => new Map(type.getProperties().map((symbol) => [symbol.name, symbol])),
    );
    for (const key of missing(theirs.keys(), ours)) {
      const symbol = theirs.get(key);
      // Some are put on a class by a function.
      const isThere = key in value || isAbstract(symbol) || symbol.flags & ts.SymbolFlags.Optional;
      if (isPublic(key) && !isTypeOnly(key) && !isThere)
        found.push(`${place}.${key} is declared only`);
    }
    for (const [key, symbol] of ours) {
      if (!isPublic(key)) continue;
      const other = theirs.get(key);
      if (other !== undefined) compareCalls(`${place}.${key}`, typeOf(symbol), typeOf(other));
      else if (
        typeOf(symbol).getCallSignatures().length > 0 &&
        !OF_RUNNABLES.has(key) &&
        !told.has(symbol.valueDeclaration)
      )
        found.push(`${place}.${key} is not declared`);
      told.add(symbol.valueDeclaration);
    }
  };
  compareCalls(name, made, declared);
  const [ours] = made.getConstructSignatures();
  const [theirs] = declared.getConstructSignatures();
  if (ours === undefined || theirs === undefined) return found;
  compareMembers(name, made, declared, value);
  compareMembers(
    `${name}.prototype`,
    ours.getReturnType(),
    theirs.getReturnType(),
    value.prototype,
  );
  return found;
}

const { checker, problems, pairs } = await assign(ENTRIES, "exports");

test("each implementation can be assigned to its declaration, but for those that the table names", () => {
  const excepted = new Set(Object.values(REASONS).flat());
  const wrong = [...problems]
    .filter(([name]) => !excepted.has(name))
    .map(([name, text]) => `${name}: ${text}`);
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...excepted].filter((name) => !problems.has(name)),
    [],
    "can be assigned: take them off the table",
  );
});

test("implementations and declarations take the same parameters and options, and have the same members", () => {
  const known = Object.values(KNOWN).flat();
  const found = pairs.flatMap((pair) => differences(checker, pair));
  assert.deepEqual(
    found.filter((text) => !known.includes(text)),
    [],
  );
  assert.deepEqual(
    known.filter((text) => !found.includes(text)),
    [],
    "do not differ: take them off the table",
  );
});

test("parameters with declared keys that an implementation takes as any object do not become more", (t) => {
  for (const pair of pairs) differences(checker, pair);
  t.diagnostic(`${open.size} of ${MOST_OPEN}`);
  assert.ok(open.size <= MOST_OPEN, [...open].join("\n"));
});

test("a declaration with another option, parameter, member or result is found", async () => {
  const planted = join(folder, "planted");
  mkdirSync(planted, { recursive: true });
  writeFileSync(
    join(planted, "made.js"),
    `
    /** @param {{ limit?: number, after?: string }} [options] @returns {string[]} */
    export function list(options) { return [String(options?.limit), String(options?.after)]; }
    /** @param {string} text @returns {number} */
    export function count(text) { return text.length; }
    export class Reader {
      /** @param {string} text */
      read(text) { return text; }
      close() {}
    }`,
  );
  writeFileSync(
    join(planted, "declared.d.ts"),
    `
    export function list(options?: { limit?: number; before?: string }): string[];
    export function count(text: string, from: number): string;
    export class Reader { read(text: string): string; open(): void }`,
  );
  const path = (name) => `./${relative(top, join(planted, name))}`;
  const { checker, problems, pairs } = await assign(
    [{ entry: "planted", js: path("made.js"), types: path("declared.d.ts") }],
    "planted",
  );
  assert.deepEqual([...problems.keys()].sort(), ["Reader", "count"]);
  assert.deepEqual(pairs.flatMap((pair) => differences(checker, pair)).sort(), [
    "Reader.prototype.close is not declared",
    "Reader.prototype.open is declared only",
    "count: takes 1 parameters, 2 are declared",
    "list: takes after, which is not declared",
    "list: takes no before, which is declared",
  ]);
});
