// SPDX-License-Identifier: MIT
// The parts of the test programme and what runs each: C tests by their name, test files by their
// path, targets of make. Planted bugs take the time of their tests: `make test` tries those of
// `quick` parts, the part `planted` all of them. Where nothing is planted, `bug` is false; where
// several things are, one at a time, `bugs` names them.
import { BUGS } from "./approval-bugs.mjs";

export const PARTS = {
  port: { bug: false, files: ["tests/peer/facts-port.test.mjs"] },
  types: {
    bug: false,
    files: ["alone", "check", "guides", "packages"].map((name) => `tests/types/${name}.test.mjs`),
  },
  packaging: { bug: false, files: ["tests/pack/pack.test.mjs"] },
  "fresh-clone": { bug: false, files: ["tests/pack/fresh-clone.test.mjs"] },
  "front-ends": {
    bug: false,
    files: [
      "tests/browser/front-end-nextjs.test.mjs",
      "tests/browser/front-end-copilotkit.test.mjs",
      "tests/browser/front-end-chat-ui.test.mjs",
      "tests/browser/front-end-ai-sdk.test.mjs",
      "tests/browser/front-end-assistant-ui.test.mjs",
      "tests/browser/front-end-langchain-react.test.mjs",
      "tests/browser/demo-front-ends.test.mjs",
    ],
  },
  firefox: {
    bug: false,
    files: [
      "tests/browser/shell-browsers.test.mjs",
      "tests/browser/demo-limits.test.mjs",
      "tests/browser/shell-offline.test.mjs",
      "tests/browser/idbfs-firefox.test.mjs",
      "tests/browser/files-gone.test.mjs",
      "tests/browser/back-forward.test.mjs",
    ],
  },
  webkit: {
    bug: false,
    files: [
      "tests/browser/shell-browsers.test.mjs",
      "tests/browser/idbfs-webkit.test.mjs",
      "tests/browser/webkit-hangs.test.mjs",
    ],
  },
  stored: {
    bug: false,
    files: [
      "damaged-listing",
      "damaged-thread",
      "packed-threads",
      "retention-faults",
      "storage-functional",
      "storage-inside",
      "storage-nested",
    ].map((name) => `tests/js/${name}.test.mjs`),
  },
  attacks: { bug: false, files: ["tests/browser/studio-attacks.test.mjs"] },
  schemas: { bug: false, files: ["tests/js/schema-random.test.mjs"] },
  docs: { bug: false, files: ["tests/browser/site.test.mjs"] },
  studio: { bug: false, files: ["tests/peer/studio.test.mjs"] },
  workbench: {
    bug: false,
    files: [
      "tests/browser/demo-plug.test.mjs",
      "tests/browser/demo-tour.test.mjs",
      "tests/browser/studio-live.test.mjs",
      "tests/browser/studio-time.test.mjs",
      "tests/browser/studio-axe.test.mjs",
      "tests/browser/shell-load.test.mjs",
      "tests/browser/shell-axe.test.mjs",
      "tests/browser/shell-browsers.test.mjs",
      "tests/browser/studio-engines.test.mjs",
      "tests/browser/studio-keyboard.test.mjs",
      "tests/browser/demo-model-choice.test.mjs",
      "tests/browser/demo-steps.test.mjs",
      "tests/browser/demo-studio.test.mjs",
      "tests/browser/demo-limits.test.mjs",
      "tests/browser/demo-offline-switch.test.mjs",
      "tests/browser/demo-storage.test.mjs",
      "tests/browser/shell-offline.test.mjs",
    ],
    env: { WEFT_PULLS: "100", WEFT_EXACT: "1" },
  },
  inbox: {
    bug: false,
    files: ["tests/browser/demo-inbox.test.mjs"],
    env: { WEFT_EXACT: "1" },
  },
  planted: { bug: false, make: ["planted-programs"], files: ["tests/proof/breaks.test.mjs"] },
  opening: { files: ["tests/proof/opening.test.mjs"] },
  random: { files: ["tests/peer/random.test.mjs", "tests/peer/random-rooms.test.mjs"] },
  T1: { quick: true, c: ["json"] },
  T2: { c: ["number"] },
  T3: { c: ["run"] },
  T4: { quick: true, c: ["log_damage"] },
  T5: {
    files: [
      "tests/js/store-file-faults.test.mjs",
      "tests/js/store-idbfs-adversaries.test.mjs",
      "tests/proof/unsynced.test.mjs",
    ],
  },
  T6: {
    files: ["tests/browser/idbfs-kill.test.mjs", "tests/browser/idbfs-kill-firefox.test.mjs"],
    env: { WEFT_KILLS: "100" },
  },
  T7: {
    files: [
      "tests/js/store-idbfs-tabs.test.mjs",
      "tests/browser/writers.test.mjs",
      "tests/browser/back-forward.test.mjs",
    ],
  },
  T8: { files: ["tests/proof/eviction.test.mjs", "tests/runtime/evicted.test.mjs"] },
  T9: {
    make: ["proof-programs"],
    files: ["tests/proof/engine-simulation.test.mjs", "tests/proof/simulation.test.mjs"],
    env: { NODE_OPTIONS: "--max-semi-space-size=64" },
  },
  T10: { files: ["tests/proof/scope.test.mjs"] },
  T11: { make: ["fuzz-programs"], files: ["tests/fuzz/fuzz.test.mjs"] },
  T12: { make: ["spec-programs"], files: ["tests/spec/hostile.test.mjs"] },
  T13: { files: ["tests/proof/traps.test.mjs"] },
  T14: { quick: true, files: ["tests/proof/soak.test.mjs"] },
  T15: { quick: true, files: ["tests/js/store-idbfs-faults.test.mjs"] },
  T16: { make: ["coverage"], files: ["tests/proof/mutate.test.mjs"] },
  T17: { quick: true, files: ["tests/proof/approval.test.mjs"] },
  T18: {
    make: ["spec-programs"],
    files: ["tests/proof/golden.test.mjs", "tests/spec/everywhere.test.mjs"],
  },
  T19: { files: ["tests/proof/moving.test.mjs"] },
  T20: { quick: true, files: ["tests/js/turns.test.mjs"], env: { WEFT_INTERLEAVINGS: "100000" } },
  T21: { quick: true, files: ["tests/proof/keys.test.mjs"] },
  T22: { files: ["tests/proof/lint.test.mjs"] },
  T24: { quick: true, files: ["tests/proof/lives.test.mjs"] },
  T23: { files: ["tests/proof/validation.test.mjs"] },
  T25: { quick: true, bugs: Object.keys(BUGS), files: ["tests/proof/approval-random.test.mjs"] },
  T26: { files: ["tests/proof/soak-server.test.mjs"] },
};
