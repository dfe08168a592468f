import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {checkSvg} from '../../scripts/terminal/check-svg.js'
import {createAnimation} from '../../scripts/terminal/animation.js'
import {drawSvg} from '../../scripts/terminal/svg.js'

const script = fileURLToPath(new URL('../../scripts/record-terminal.js', import.meta.url))
const options = {columns: 10, rows: 2, ticksPerSecond: 10}
const start = '<svg xmlns="http://www.w3.org/2000/svg">'

test('docs/images/terminal.svg can be shown everywhere', () => {
  const {status, stderr} = spawnSync(process.execPath, [script, '--check'], {encoding: 'utf8'})
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
})

test.each<[text: string, problem: string]>([
  [`${start}<g></svg>`, 'is not well-formed'],
  [`${start}<g a=1/></svg>`, 'is not well-formed'],
  [`${start}<g a="1" a="2"/></svg>`, 'is not well-formed'],
  [`${start}a & b</svg>`, 'is not well-formed'],
  [`${start}\u0001</svg>`, 'is not well-formed'],
  [`${start}</svg><svg/>`, 'is not well-formed'],
  [start, 'is not well-formed'],
  ['', 'is not well-formed'],
  ['<svg></svg>', 'is not an SVG'],
  [`${start}<script>1</script></svg>`, 'has the element script'],
  [`${start}<foreignObject/></svg>`, 'has the element foreignObject'],
  [`${start}<g onload="1"/></svg>`, 'has the handler onload'],
  [`${start}<use href="other.svg#a"/></svg>`, 'refers to other.svg#a'],
  [`${start}<style>a{fill:url(b.svg)}</style></svg>`, 'refers to url(b.svg'],
  [`${start}<text>https://example.com</text></svg>`, 'refers to https://example.com'],
  [`${start}${' '.repeat(250_000)}</svg>`, 'bytes, expected at most 250000'],
])('checkSvg reports the problem of %.60j', (text, problem) => {
  expect(checkSvg(text).join()).toContain(problem)
})

test('drawSvg draws a repeated row once and escapes hostile text', () => {
  const animation = createAnimation(
    [
      {atMs: 0, text: '\u001b[?25l<b>&"\r\n'},
      {atMs: 200, text: '\u001b[1;31msame\u001b[0m\r\n'},
      {atMs: 400, text: '\u001b[1;31msame\u001b[0m'},
    ],
    options,
  )
  const svg = drawSvg(animation, {...options, pauseSeconds: 0.5, title: '<t>', description: '"&"'})
  expect(checkSvg(svg)).toEqual([])
  expect(svg).toContain('&lt;b&gt;&amp;"')
  expect(svg.match(/>same</g)).toHaveLength(1)
  expect(svg.match(/<use href="#r0"/g)).toHaveLength(2)
  expect(svg).toContain('{0%{visibility:hidden}40%{visibility:visible}}')
  expect(svg).toContain('{0%{transform:none}20%{transform:translateY(-20px)}}')
  expect(svg).toContain('animation:1s step-end infinite')
  expect(svg).toContain('prefers-reduced-motion:reduce')
})
