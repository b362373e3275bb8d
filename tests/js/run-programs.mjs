// SPDX-License-Identifier: MIT
// Runs programs one after the other in one process, and prints as JSON what each printed. Usage:
// node run-programs.mjs program.mjs ...
import { pathToFileURL } from "node:url";

const write = process.stdout.write.bind(process.stdout);
/** @type {string[]} */
const outputs = [];
for (const path of process.argv.slice(2)) {
  let text = "";
  process.stdout.write = (chunk) => {
    text += chunk;
    return true;
  };
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    text += `${error}\n`;
  } finally {
    process.stdout.write = write;
  }
  outputs.push(text);
}
write(JSON.stringify(outputs));
