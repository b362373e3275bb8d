// SPDX-License-Identifier: MIT
export default {
  test: {
    globals: true,
    include: ["tests/proof/validation-suite.mjs"],
    pool: "threads",
    cache: false,
  },
};
