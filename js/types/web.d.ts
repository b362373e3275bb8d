// SPDX-License-Identifier: MIT
// The public names of `weftgraph/web`: the same as the root's, which names no runtime.
export * from "./index.js";
