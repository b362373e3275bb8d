// SPDX-License-Identifier: MIT
// The first words of the page. The build writes them into index.html, so that they are there before
// any script; the screen draws the same.

export const TITLE = Object.freeze(["An agent runtime is running ", "in this tab."]);
export const LEAD = "Watch it work, pull its plug, turn back time. No server, no key.";
