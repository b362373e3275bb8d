// SPDX-License-Identifier: MIT
// The page of files-gone.test.mjs: leaves in globalThis.page what the test calls once the page's
// files are gone.
import * as weft from "weftgraph";
import { createReactAgent } from "weftgraph/prebuilt";
import { ScriptedModel } from "weftgraph/models/scripted";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { openFeatures, workWithoutFiles } from "../js/without-files.mjs";

const names = { ...weft, createReactAgent, ScriptedModel };
const memory = new weft.MemorySaver();
const savers = { memory: () => memory, idbfs: () => new IdbfsSaver({ prefix: "files-gone" }) };
let features;

globalThis.page = {
  work: (saver) => workWithoutFiles(names, savers[saver]()),
  open: async (saver) => void (features = await openFeatures(names, savers[saver])),
  tryAll: () => features.tryAll(),
  read: () => features.read(),
  goOn: (n) => features.goOn(n),
};
