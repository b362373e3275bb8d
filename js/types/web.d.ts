// SPDX-License-Identifier: MIT
// Exports the public names of `weftgraph/web`: the same as the root's, which depends on no runtime.
export * from "./index.js";
