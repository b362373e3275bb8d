// SPDX-License-Identifier: MIT
// The studio's page: <weft-studio> over the sample graphs in the worker.
import { SAMPLES } from "./samples/index.js";
import { WeftStudio, defineStudio } from "./studio/element.js";
import { Engine } from "./worker/engine.js";

const engine = new Engine();

defineStudio();
const studio = new WeftStudio();
studio.server = engine.server;
studio.setAttribute("graph", "orders");
document.querySelector("main")?.append(studio);

const samples = document.getElementById("samples");
for (const { graph, title, about, stories } of SAMPLES) {
  const button = document.createElement("button");
  const small = document.createElement("small");
  small.textContent = about;
  button.append(title, small);
  button.addEventListener("click", () => studio.run(graph, stories[0].input));
  samples?.append(button);
}
