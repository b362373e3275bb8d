// SPDX-License-Identifier: MIT
// Writes the parts of index.html that are made of what its scripts know: they are painted before
// any of them.
import { LEAD, TITLE } from "./src/screens/start/words.js";
import { ROUTES } from "./src/shell/routes.js";

/** The links to the screens. */
export function screensHtml() {
  return ROUTES.map(
    ({ screen, title, icon }) =>
      `<li><a href="#/${screen}" data-screen="${screen}"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${icon}"/></svg><span>${title}</span>${screen === "inbox" ? '<b class="badge" hidden></b>' : ""}</a></li>`,
  ).join("\n          ");
}

/** The words of the start, as its screen draws them. */
export function heroHtml() {
  return `<h1>${TITLE[0]}<em>${TITLE[1]}</em></h1><p class="lead">${LEAD}</p>`;
}
