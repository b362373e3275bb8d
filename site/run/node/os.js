// SPDX-License-Identifier: MIT
// As much of node:os as the documents' programs need.

export const tmpdir = () => "/tmp";
export const hostname = () => "tab";
