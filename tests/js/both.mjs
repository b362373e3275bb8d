// SPDX-License-Identifier: MIT
// One program through LangGraph.js and Weft: what it returns or throws, messages as lists of what
// they say, must be the same.
import assert from "node:assert/strict";
import * as peerGraph from "@langchain/langgraph";
import * as peerPrebuilt from "@langchain/langgraph/prebuilt";
import * as ownGraph from "weftgraph";
import * as ownPrebuilt from "weftgraph/prebuilt";

const PEER = { ...peerGraph, ...peerPrebuilt };
const OWN = { ...ownGraph, ...ownPrebuilt };

const view = (value) => {
  if (typeof value?.getType === "function")
    return [
      value.getType(),
      value.content,
      value.name,
      value.tool_call_id,
      value.status,
      value.tool_calls?.map(({ name, args, id }) => [name, args, id]),
    ];
  if (Array.isArray(value)) return value.map(view);
  if (value?.lg_name === "Command")
    return {
      command: view(value.update),
      goto: view(value.goto),
      graph: value.graph,
      resume: value.resume,
    };
  if (value?.lg_name === "Send") return { send: value.node, args: view(value.args) };
  return value?.constructor === Object
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, view(one)]))
    : value;
};

const outcome = async (work) => {
  try {
    return view(await work());
  } catch (error) {
    return { name: error.name, message: error.message, code: error.lc_error_code };
  }
};

/** @param {string} note @param {(lib: any) => any} work */
export const same = async (note, work) =>
  assert.deepEqual(await outcome(() => work(OWN)), await outcome(() => work(PEER)), note);
