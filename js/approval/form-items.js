// SPDX-License-Identifier: MIT
// Adds items to the lists of a form and removes them: each makes another form, in which the other
// fields keep their paths, so that what a person wrote stays where it is.
import { badArgument } from "../base/check-arguments.js";
import { pathTo } from "./form-texts.js";

/** @typedef {import("../types/approval/form.js").ApprovalForm} ApprovalForm */
/** @typedef {import("../types/approval/form.js").FormField} FormField */

/** @param {ApprovalForm} form @param {string} path of the list @returns {ApprovalForm} */
export function addItem(form, path) {
  return changeList(form, path, "addItem(form, path)", (list) => {
    const { item, items = [], next = 0 } = list;
    const from = pathTo(path, "-");
    const added = moved(/** @type {FormField} */ (item), from, pathTo(path, next));
    const label = `${list.label} ${next + 1}`;
    const isNamed = added.label !== list.label;
    const one = { ...added, key: next, name: String(next), label: isNamed ? added.label : label };
    return { ...list, items: [...items, one], next: next + 1 };
  });
}

/** @param {ApprovalForm} form @param {string} path of the item @returns {ApprovalForm} */
export function removeItem(form, path) {
  const above = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return changeList(form, above, "removeItem(form, path)", (list) => ({
    ...list,
    items: list.items?.filter((item) => item.path !== path),
  }));
}

/**
 * @param {ApprovalForm} form
 * @param {string} path
 * @param {string} call
 * @param {(list: FormField) => FormField} edit
 * @returns {ApprovalForm}
 */
function changeList(form, path, call, edit) {
  let isFound = false;
  /** @param {FormField} field @returns {FormField} */
  const change = (field) => {
    if (field.path === path && field.type === "list") {
      isFound = true;
      return edit(field);
    }
    if (field.path !== "" && !path.startsWith(`${field.path}/`)) return field;
    return withInner(field, change);
  };
  const fields = form.fields.map(change);
  if (!isFound) throw badArgument(`${call}: there is no list at ${JSON.stringify(path)}`);
  return { ...form, fields };
}

/** @param {FormField} field @param {string} from @param {string} to @returns {FormField} */
function moved(field, from, to) {
  const path = `${to}${field.path.slice(from.length)}`;
  return withInner({ ...field, path }, (inner) => moved(inner, from, to));
}

/** @param {FormField} field @param {(field: FormField) => FormField} change */
function withInner(field, change) {
  const { fields, items, item } = field;
  return {
    ...field,
    ...(fields === undefined ? undefined : { fields: fields.map(change) }),
    ...(items === undefined ? undefined : { items: items.map(change) }),
    ...(item === undefined ? undefined : { item: change(item) }),
  };
}
