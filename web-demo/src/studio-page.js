// SPDX-License-Identifier: MIT
// The studio's page: the workbench by itself.
import { open } from "./screens/workbench/index.js";
import { Engine } from "./worker/engine.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const routeOf = () => {
  const [, , ...params] = location.hash.split("/").map(decodeURIComponent);
  return { screen: /** @type {const} */ ("work"), params };
};
const engine = new Engine();
const { show } = open(main, {
  engine,
  route: routeOf(),
  go: (/** @type {string} */ hash) => history.replaceState(null, "", hash),
});
addEventListener("hashchange", () => show(routeOf()));
