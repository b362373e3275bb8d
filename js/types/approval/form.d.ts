// SPDX-License-Identifier: MIT
// Declares the forms of `weftgraph/approval`.

/** One choice of a field of type "select". */
export interface FormOption {
  /** The field's text when this is chosen. */
  key: string;
  label: string;
  /** The argument then: any JSON value. */
  value: unknown;
}
/**
 * A field of a form. Titles, descriptions and labels have their hidden characters as ⟨U+202E⟩;
 * show them, and `value`, as text and never as HTML.
 */
export interface FormField {
  /**
   * JSON pointer to the argument, the key of the field's value in `readForm`. Items of a list keep
   * theirs when others are removed.
   */
  path: string;
  /** The argument's key as it is; the number of an item. */
  key: string | number;
  /** The key for people: a title may say something else. */
  name: string;
  /** The schema's title, or the key in words. */
  label: string;
  description?: string;
  /** How to draw it. "json" is JSON text of whatever has no simpler field. */
  type:
    | "text"
    | "multiline"
    | "number"
    | "integer"
    | "checkbox"
    | "select"
    | "date"
    | "date-time"
    | "time"
    | "email"
    | "url"
    | "list"
    | "group"
    | "json";
  /** An empty field is refused; without it the argument is left out. */
  required: boolean;
  /** May it be null? An empty field that is required is then null. */
  nullable: boolean;
  /** What the field holds: a boolean for "checkbox", a text for all others; none for groups. */
  value?: string | boolean;
  /** `value` with its hidden characters spelled out, if it has any. */
  spelled?: string;
  /** The schema's default. It is not filled in. */
  default?: unknown;
  /** Of "select", at most 200. Without a choice the value is "". */
  options?: FormOption[];
  /** Bounds of a number, or of the number of items. */
  min?: number;
  max?: number;
  exclusiveMin?: number;
  exclusiveMax?: number;
  step?: number;
  /** Lengths in characters, not in UTF-16 units as a page's `maxlength`. */
  minLength?: number;
  maxLength?: number;
  /** A regular expression of the schema, for display: it may take forever to run. */
  pattern?: string;
  /** The fields of a "group". */
  fields?: FormField[];
  /** The items of a "list". */
  items?: FormField[];
  /** What a new item of a "list" looks like. */
  item?: FormField;
  /** The key of the next new item of a "list". */
  next?: number;
}
/** A form as plain data: it can be kept and sent as JSON. */
export interface ApprovalForm {
  fields: FormField[];
  /** The arguments as they were. */
  args: Record<string, unknown>;
  /** What is not shown, for the person. */
  note?: string;
}
/** What is wrong with a field. */
export interface FormProblem {
  path: string;
  message: string;
}

/**
 * Makes the fields of a form for the arguments of a tool.
 *
 * References inside the schema are followed. At most 300 fields are made, 8 levels deep; what is
 * not shown stays in the arguments. Works without a page and in every runtime.
 *
 * @param schema JSON Schema of the arguments, as `toolJsonSchema` returns it; without one each
 *   argument is a field of type "json"
 * @param args the arguments that are edited; default: none
 * @returns fields to show, and the arguments; `answerOf` makes the answer of what was entered
 * @throws BAD_ARGUMENT if one of them is not JSON
 * @example
 * ```ts
 * import { formOf, readForm } from "weftgraph/approval";
 *
 * const schema = { type: "object", properties: { quantity: { type: "integer" } } };
 * const form = formOf(schema, { quantity: 2 });
 * for (const { path, label, type, value } of form.fields) console.log(path, label, type, value);
 * console.log(readForm(form, { "/quantity": "3" }));
 * ```
 * ```text
 * /quantity Quantity integer 2
 * { args: { quantity: 3 } }
 * ```
 */
export function formOf(schema: unknown, args?: unknown): ApprovalForm;

/**
 * Reads what a person wrote into arguments.
 *
 * A field without a value, or whose value is as it was, leaves its argument as it was. Number text
 * is a number if it is exactly one; an empty field leaves an optional argument out. Patterns and
 * formats are not tried: the engine validates the edited call.
 *
 * @param form of formOf, addItem or removeItem
 * @param values the fields' values by path, or the FormData (or URLSearchParams) of a page's form
 *   whose inputs are named by path
 * @returns the arguments, or what is wrong
 * @throws BAD_ARGUMENT if values is no object
 * @example
 * ```ts
 * import { formOf, readForm } from "weftgraph/approval";
 *
 * const schema = { type: "object", properties: { quantity: { type: "integer" } } };
 * const form = formOf(schema, { quantity: 2 });
 * console.log(readForm(form, { "/quantity": "3" }));
 * console.log("problems" in readForm(form, { "/quantity": "many" }));
 * ```
 * ```text
 * { args: { quantity: 3 } }
 * true
 * ```
 */
export function readForm(
  form: ApprovalForm,
  values?: Readonly<Record<string, unknown>> | { has(name: string): boolean; getAll: unknown },
): { args: Record<string, unknown> } | { problems: FormProblem[] };

/**
 * Adds an item to a list of a form.
 *
 * @param form is not changed
 * @param path of the list
 * @returns another form, with an item like the list's `item`
 * @throws BAD_ARGUMENT if there is no such list
 * @example
 * ```ts
 * import { addItem, formOf, readForm } from "weftgraph/approval";
 *
 * const tags = { type: "array", items: { type: "string" } };
 * const form = formOf({ type: "object", properties: { tags } }, { tags: ["new"] });
 * console.log(readForm(addItem(form, "/tags"), { "/tags/1": "red" }));
 * ```
 * ```text
 * { args: { tags: [ 'new', 'red' ] } }
 * ```
 */
export function addItem(form: ApprovalForm, path: string): ApprovalForm;

/**
 * Removes an item of a list of a form. The other items keep their paths.
 *
 * @param form is not changed
 * @param path of the item
 * @returns another form
 * @throws BAD_ARGUMENT if there is no such list
 * @example
 * ```ts
 * import { formOf, readForm, removeItem } from "weftgraph/approval";
 *
 * const tags = { type: "array", items: { type: "string" } };
 * const form = formOf({ type: "object", properties: { tags } }, { tags: ["new", "red"] });
 * console.log(readForm(removeItem(form, "/tags/0")));
 * ```
 * ```text
 * { args: { tags: [ 'red' ] } }
 * ```
 */
export function removeItem(form: ApprovalForm, path: string): ApprovalForm;

/**
 * Makes the answer to an approval request about one call that runs other arguments.
 *
 * @param request value of the interrupt, a ToolApprovalRequest
 * @param args what is to run, as readForm returns it
 * @returns the answer, bound to what was shown
 * @throws BAD_ARGUMENT if the request is about no call or about several
 * @example
 * ```ts
 * import { answerOf } from "weftgraph/approval";
 *
 * const request = { action_request: { action: "order", args: { quantity: 2 } } };
 * console.log(answerOf(request, { quantity: 3 }));
 * ```
 * ```text
 * { type: 'edit', args: { action: 'order', args: { quantity: 3 } } }
 * ```
 */
export function answerOf(
  request: unknown,
  args: Record<string, unknown>,
): {
  type: "edit";
  args: { action: string; args: Record<string, unknown> };
  digest?: string;
  approval_id?: string;
};

/**
 * Writes the hidden characters of JSON text (controls, bidi and zero-width characters, unusual
 * blanks) as JSON's escapes, for a person who edits it. The text means the same.
 *
 * @param json valid JSON
 * @returns the same JSON with visible escapes; text without hidden characters stays as it is
 * @throws TypeError if json is no text; whether it is JSON is not checked
 * @example
 * ```ts
 * import { spellJson } from "weftgraph/approval";
 *
 * console.log(spellJson('{"to":"ann\u202e"}'));
 * ```
 * ```text
 * {"to":"ann\u202e"}
 * ```
 */
export function spellJson(json: string): string;
