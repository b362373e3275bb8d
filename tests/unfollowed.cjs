// SPDX-License-Identifier: MIT
// Required before node:test: it follows every promise from its making to its collection, to know in
// whose test an error was thrown that nobody caught; that is up to a third of the time of a file.
// Without, such an error fails the file it came from.
const hooks = require("node:async_hooks");

const { createHook } = hooks;
hooks.createHook = () => ({ enable() {}, disable() {} });
require("node:test");
hooks.createHook = createHook;
