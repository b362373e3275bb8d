// SPDX-License-Identifier: MIT
// As much of node:path as the documents' programs need, with the folder that they begin in.

export const sep = "/";
const HERE = "/example";

/** @param {string} path @returns {string[]} the names in it; above the root there is nothing */
export function namesOf(path) {
  /** @type {string[]} */
  const names = [];
  for (const name of path.split("/")) {
    const isUp = name === ".." && names.length > 0 && names.at(-1) !== "..";
    if (isUp) names.pop();
    else if (name === ".." ? !path.startsWith("/") : name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** @param {string[]} parts */
export function resolve(...parts) {
  let path = HERE;
  for (const part of parts) path = part.startsWith("/") ? part : `${path}/${part}`;
  return `/${namesOf(path).join("/")}`;
}

/** @param {string[]} parts */
export function join(...parts) {
  const path = parts.filter((part) => part !== "").join("/");
  const names = namesOf(path).join("/");
  return path.startsWith("/") ? `/${names}` : names || ".";
}

/** @param {string} path */
export const basename = (path) => path.replace(/\/+$/, "").split("/").at(-1) ?? "";

/** @param {string} path */
export function dirname(path) {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return at < 0 ? "." : path.slice(0, at) || "/";
}
