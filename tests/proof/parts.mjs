// SPDX-License-Identifier: MIT
// The parts of the test programme and what runs each: C tests by their name, test files by their path, targets of make.
export const PARTS = {
  T8: { files: ["tests/proof/eviction.test.mjs"] },
  T9: { files: ["tests/proof/simulation.test.mjs"] },
  T10: { files: ["tests/proof/scope.test.mjs"] },
  T23: { files: ["tests/proof/validation.test.mjs"] },
};
