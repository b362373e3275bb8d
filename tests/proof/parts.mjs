// SPDX-License-Identifier: MIT
// The parts of the test programme and what runs each: C tests by their name, test files by their path, targets of make.
// A `slow` part's planted bug is tried under WEFT_LONG only.
export const PARTS = {
  opening: { files: ["tests/proof/opening.test.mjs"] },
  T1: { c: ["json"] },
  T2: { c: ["number"] },
  T3: { c: ["run"] },
  T4: { c: ["log_damage"] },
  T5: { files: ["tests/js/store-file-faults.test.mjs", "tests/proof/unsynced.test.mjs"] },
  T6: { slow: true, files: ["tests/browser/idbfs-kill.test.mjs", "tests/browser/idbfs-kill-firefox.test.mjs"], env: { WEFT_KILLS: "100" } },
  T7: { slow: true, files: ["tests/js/store-idbfs-tabs.test.mjs"], env: { WEFT_SCHEDULES: "100000" } },
  T8: { slow: true, files: ["tests/proof/eviction.test.mjs"] },
  T9: { files: ["tests/proof/simulation.test.mjs"] },
  T10: { files: ["tests/proof/scope.test.mjs"] },
  T11: { make: ["fuzz-programs"], files: ["tests/fuzz/fuzz.test.mjs"] },
  T12: { make: ["spec-programs"], files: ["tests/spec/hostile.test.mjs"] },
  T13: { files: ["tests/proof/traps.test.mjs"] },
  T14: { files: ["tests/proof/soak.test.mjs"] },
  T15: { files: ["tests/js/store-idbfs-faults.test.mjs"] },
  T16: { slow: true, files: ["tests/proof/mutate.test.mjs"] },
  T17: { files: ["tests/proof/approval.test.mjs"] },
  T18: { files: ["tests/proof/golden.test.mjs"] },
  T19: { slow: true, files: ["tests/proof/moving.test.mjs"] },
  T20: { files: ["tests/js/turns.test.mjs"], env: { WEFT_INTERLEAVINGS: "100000" } },
  T21: { files: ["tests/proof/keys.test.mjs"] },
  T22: { files: ["tests/proof/lint.test.mjs"] },
  T23: { slow: true, files: ["tests/proof/validation.test.mjs"] },
};
