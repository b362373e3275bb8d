// SPDX-License-Identifier: MIT
// What every smoke runner loads: the package by its public names, and the engine's realm, so that
// it can be broken.
import * as root from "weftgraph";
import * as mcpClient from "weftgraph/mcp";
import * as mcpServer from "weftgraph/mcp/server";
import "weftgraph/models/ai-sdk";
import { DemoModel } from "weftgraph/models/demo";
import * as agent from "weftgraph/agent";
import * as approval from "weftgraph/approval";
import * as middleware from "weftgraph/agent/middleware";
import * as otel from "weftgraph/otel";
import * as prebuilt from "weftgraph/prebuilt";
import { record } from "weftgraph/record";
import * as schema from "weftgraph/schema";
import * as testing from "weftgraph/testing";
import { getEngine } from "../../js/engine/instance.js";
import { ScriptedModel } from "../../js/models/scripted.js";
import { smoke } from "./smoke.mjs";

const weft = {
  ...root,
  agent,
  approval,
  middleware,
  prebuilt,
  schema,
  models: { DemoModel, ScriptedModel },
  mcp: { ...mcpClient, ...mcpServer },
  otel,
  record,
  testing,
};

/**
 * The smoke set over a saver; over a MemorySaver when there is none.
 * @param {{ als: boolean, saver?: any }} options
 */
export function runSmoke({ als, saver }) {
  return smoke({ weft, als, saver, getEngine });
}
