// SPDX-License-Identifier: MIT
// What reads Markdown, in a part of its own.
export { Lexer } from "marked";
