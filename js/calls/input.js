// SPDX-License-Identifier: MIT
// Reads the input of a call: values for the state, or a Command that resumes, updates or routes.
import { PARENT, isSend } from "../base/constants.js";
import { ERR_EMPTY_COMMAND, ERR_NO_PARENT, ERR_RESUME_NO_SAVER } from "../base/codes.js";
import { makeError } from "../base/errors.js";
import { routeCommand } from "./node-task.js";
import { writePairs } from "../plan/writes.js";

/** @typedef {import("../run/tasks/entries.js").Entries} Entries */
/** @typedef {import("../base/constants.js").Command} Command */

/**
 * Key on a command whose answer named no interrupt; js/calls/resume-check.js found the interrupt.
 */
export const PLAIN = /* @__PURE__ */ Symbol("plain");
const INTERRUPT_ID = /^[0-9a-f]{32}$/;

/** @typedef {import("../plan/definition.js").Plan} Plan */

/** @param {Plan} plan @param {Entries} entries @param {unknown} input */
export function writeInput(plan, entries, input) {
  if (plan.writeInput === undefined) entries.write(plan.keys.length, input);
  else plan.writeInput(plan, entries, input);
}

/** @param {Plan} plan @param {Command} command @param {boolean} saved */
export function commandRequest(plan, command, saved) {
  if (command.graph === PARENT) throw makeError(ERR_NO_PARENT);
  for (const target of [command.goto ?? []].flat()) {
    if (typeof target !== "string" && !isSend(target))
      throw new Error(`In Command.send, expected Send or string, got ${typeof target}`);
  }
  const { resume } = command;
  const resumes = resume !== undefined && resume !== null;
  if (resume !== undefined && resume !== null && !saved) throw makeError(ERR_RESUME_NO_SAVER);
  const isMap = resumes && typeof resume === "object" && isResumeMap(resume);
  if (command.update && typeof command.update !== "object")
    throw new Error("Expected cmd.update to be a dict mapping channel names to update values");
  const hasUpdate = Boolean(command.update) && Object.keys(command.update).length !== 0;
  const hasGoto = command.goto !== undefined && command.goto.length !== 0;
  if (!resumes && !hasUpdate && !hasGoto) throw makeError(ERR_EMPTY_COMMAND);
  return {
    isCommand: true,
    ...(resumes
      ? isMap
        ? {
            resumeMap: resume,
            isPlain: /** @type {{ [PLAIN]?: boolean }} */ (command)[PLAIN] === true,
          }
        : { resume }
      : {}),
    ...(hasUpdate || hasGoto
      ? {
          input: (/** @type {Entries} */ entries) =>
            writeCommand(plan, entries, command, hasUpdate),
        }
      : {}),
  };
}

/** @param {object} resume @returns {resume is Record<string, unknown>} */
export function isResumeMap(resume) {
  const ids = Object.keys(resume);
  return !Array.isArray(resume) && ids.length > 0 && ids.every((id) => INTERRUPT_ID.test(id));
}

/**
 * @param {Plan} plan
 * @param {Entries} entries
 * @param {Command} command
 * @param {boolean} hasUpdate
 */
function writeCommand(plan, entries, command, hasUpdate) {
  if (hasUpdate) writePairs(plan, { writes: entries }, command._updateAsTuples());
  routeCommand(plan, entries, { goto: [command.goto ?? []].flat().filter(Boolean) }, false);
}
