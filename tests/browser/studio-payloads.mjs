// SPDX-License-Identifier: MIT
// Texts that mean harm to whoever shows them: as markup, as Markdown, as an address, as direction,
// as what is not seen, as a name of an object, by their length.

export const PAYLOADS = [
  "<script>globalThis.hit = 1</script>",
  "<img src=x onerror='globalThis.hit = 1'>",
  '"><svg onload="globalThis.hit = 1">',
  "<svg><animate onbegin=globalThis.hit=1 attributeName=x dur=1s>",
  "<svg><script>globalThis.hit = 1</script></svg>",
  "<svg><a xlink:href=javascript:globalThis.hit=1><text>x</text></a></svg>",
  '<math><mtext><table><mglyph><style><img src=x onerror="globalThis.hit=1">',
  '<math href="javascript:globalThis.hit=1">x</math>',
  "<iframe srcdoc='<script>parent.hit = 1</script>'></iframe>",
  "<object data=data:text/html,<script>globalThis.hit=1</script>></object>",
  "<embed src=javascript:globalThis.hit=1>",
  "<form action=javascript:globalThis.hit=1><button>x</button></form>",
  "<base href=https://evil.example/>",
  "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<style>* { display: none }</style>",
  "<details open ontoggle=globalThis.hit=1>",
  "<template><img src=x onerror=globalThis.hit=1></template>",
  "</textarea></title></style><img src=x onerror=globalThis.hit=1>",
  "[link](javascript:globalThis.hit=1) [other](JaVaScRiPt&colon;globalThis.hit=1)",
  "[link](data:text/html,<script>globalThis.hit=1</script>) <javascript:globalThis.hit=1>",
  "![picture](https://evil.example/x.png) ![p][r]\n\n[r]: https://evil.example/y.png",
  "[ref]: javascript:globalThis.hit=1\n\n[ref] [a][ref] <vbscript:x>",
  "| a |\n|---|\n| <img src=x onerror=globalThis.hit=1> |",
  "innocent\u202egnp.exe \u2066hidden\u2069 \u200f\u061c",
  "zero\u200bwidth\u2060and\ufeffBOM \u{e0041}\u{e0042} soft\u00adhyphen",
  "line\u2028separator\u2029 \u0000\u0007\u001b[31m \ud800",
  "[good](https://good.example/)",
  "__proto__",
  "constructor",
  "> ".repeat(3000),
  `${"*a **b ".repeat(2000)}${"[".repeat(2000)}`,
  "x".repeat(200_000),
  "#{globalThis.hit = 1} {{constructor.constructor('globalThis.hit=1')()}} ?lit$123$<!--?lit$-->",
];

/** Places of some of each kind, shown by `make test`; `make check-long PART=attacks` shows all. */
export const SOME = [0, 1, 4, 8, 12, 15, 18, 19, 21, 23, 24, 25, 26, 27, 28, 31, 32, 33];
