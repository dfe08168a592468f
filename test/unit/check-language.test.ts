import {spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterEach, describe, expect, test} from 'vitest'
import {createAllowList} from '../../scripts/language/allowed.js'
import {checkFile} from '../../scripts/language/check.js'
import {RULES} from '../../scripts/language/rules.js'

function list(path: string, source: string): string[] {
  return checkFile(path, source).map(({kind, found}) => `${kind}: ${found}`)
}

/** A comment for each rule about text, or a declaration for each rule about identifiers. */
const PLANTED: [path: string, source: string][] = [
  ['a.ts', '// Tells whether it is open.'],
  ['a.ts', '// The agent says nothing.'],
  ['a.ts', '// Hears messages.'],
  ['a.ts', '// How an agent is spoken to.'],
  ['a.ts', 'const speeches = 1'],
  ['a.ts', '// Counts anew.'],
  ['a.ts', '// Nobody reads it.'],
  ['a.ts', '// Closed by whoever opened it.'],
  ['a.ts', '// Who is too slow is closed.'],
  ['a.ts', '// What is open stays open.'],
  ['a.ts', '// So many lines are kept.'],
  ['a.ts', '// While much comes, it waits.'],
  ['a.ts', '// Until the file is at rest.'],
  ['a.ts', '// Gives out codes.'],
  ['a.ts', '// Takes in bytes.'],
  ['a.ts', '// A file is another now.'],
  ['a.ts', '// Skips a line that is none.'],
  ['a.ts', '// Until it is mended.'],
  ['a.ts', 'function makeHarmless() {}'],
  ['a.ts', 'const isWhole = true'],
  ['a.ts', 'type Novelty = string'],
  ['a.ts', 'function readHeir() {}'],
  ['a.ts', 'interface Bookkeeper {}'],
  ['a.ts', 'const desk = 1'],
  ['a.ts', 'function createDoors() {}'],
  ['a.ts', 'function createGuard() {}'],
  ['a.ts', 'const soughtSeq = 1'],
  ['intake.ts', ''],
  ['a.ts', 'const outlet = 1'],
  ['a.ts', 'const giver = 1'],
  ['a.ts', 'function rehearse() {}'],
  ['a.ts', 'const unsettled = 1'],
  ['a.ts', 'const whereabouts = 1'],
  ['src/runner/a.ts', 'const conversation = 1'],
  ['a.ts', 'const LOOK_MS = 1'],
  ['a.ts', '// Looks after a process.'],
  ['a.ts', 'function readPiece() {}'],
  ['a.ts', '// The folder of a run.'],
  ['a.ts', 'const UNBEGUN = 1'],
  ['stand-in.ts', ''],
  ['housekeeping.ts', ''],
  ['a.ts', 'const onRemark = 1'],
  ['a.ts', 'const strangers = 1'],
  ['src/hub/a.ts', 'function room() {}'],
  ['a.ts', 'const MOST_TOOLS = 1'],
  ['a.ts', 'const PATIENCE_MS = 1'],
  ['a.ts', 'const APART_MS = 1'],
  ['a.ts', 'const MUCH = 1'],
]

describe('rules', () => {
  test.each(PLANTED)('reports a planted violation in %s: %s', (path, source) => {
    expect(checkFile(path, source)).toHaveLength(1)
  })

  test('each have a planted violation', () => {
    const found = new Set(
      PLANTED.flatMap(([path, source]) => checkFile(path, source).map(({rule}) => rule)),
    )
    expect([...found].toSorted()).toEqual([...new Set(RULES.map(({name}) => name))].toSorted())
  })
})

describe('code', () => {
  test.each([
    ["throw new Error('The client was told.')", 'prose: told'],
    ['const text = `${count} clients were told`', 'prose: told'],
    ['const text = <p title="Not told yet">{count}</p>', 'prose: told'],
    ['const text = <p>{count} was told</p>', 'prose: told'],
    ['/* It was\n * told. */', 'comments: told'],
    ['/** @param {string} name What is shown */', 'comments: What'],
    ["describe('what is left', () => {})", 'tests: what'],
    ["test.each(cases)('is told about %s', () => {})", 'tests: told'],
    ['test.each`a`(`is told`, () => {})', 'tests: told'],
    ["it('a run', () => {})", 'tests: a run'],
    ["test('that failed is shown', () => {})", 'tests: that failed is shown'],
    ['const {size: toldSize = 1} = file', 'identifiers: toldSize'],
    ['function read(told: number) {}', 'identifiers: told'],
    ['interface Adapter {tells: boolean}', 'identifiers: tells'],
    ["type State = 'told' | 'sent'", 'identifiers: told'],
    ['const state = {wasTold: true}', 'identifiers: wasTold'],
  ])('reports a violation in %s', (source, expected) => {
    expect(list('a.test.tsx', source).concat(list('a.tsx', source))).toContain(expected)
  })

  test('reports the words of a sentence that spans lines, at its place', () => {
    const source = 'open()\n// Read by those\n// who may see it.\n'
    const [finding] = checkFile('a.ts', source)
    expect(source.slice(finding?.offset).startsWith('those\n// who')).toBe(true)
    expect(finding?.found).toBe('those who')
  })

  test.each([
    ['a regular expression', 'const pattern = /told|"what is/'],
    ['an expression in a template', 'const text = `first ${told(what.is)} last`'],
    ['a name that is declared elsewhere', "import {told} from 'teller'\ntold.tell()"],
    ['a key of a pattern', 'const {tells: reports} = adapter'],
    ['one word as a value', "send('told')"],
    ['a word that contains another', '// IntelliSense and storytelling.'],
    ['quotes in a comment', '// The agent prints "told" and `said`, or “heard”.'],
    ['a question', '// What is open? Who reads it?'],
    ['class names', 'const row = <p className="told what is" />'],
    ['text that continues a sentence', 'const row = <p>See {name}what is here</p>'],
    ['a comment in a string', "const url = 'http://told'"],
    ['plain English', '// Shown if the user declines, for whatever reason, as long as it fits.'],
  ])('accepts %s', (_, source) => {
    expect(list('a.tsx', source)).toEqual([])
  })

  test('accepts strings of tests, which are input', () => {
    expect(list('a.test.ts', "expect(parse('The client was told.')).toBe(1)")).toEqual([])
  })
})

describe('other files', () => {
  test.each([
    ['a.md', '# What a client says\n\nText.', ['prose: What', 'prose: says']],
    ['a.md', '| a | b |\n|---|---|\n| what is read | c |', ['prose: what']],
    ['a.md', `- ${'long '.repeat(24)}`, ['prose: 122 characters']],
    ['README.md', 'a\n'.repeat(201), ['prose: 201 lines, 0.4 kB']],
    ['README.md', `${'a'.repeat(100)}\n`.repeat(119), ['prose: 119 lines, 12.0 kB']],
    ['a.css', '/* was told */\n.told {\n  color: red;\n}', ['comments: told', 'identifiers: told']],
    ['a.html', '<title>Was told</title>', ['prose: told']],
    ['a.json', '{"message": "It was told."} // told', ['prose: told', 'comments: told']],
    ['a.yml', 'steps:\n  - name: Was told\n    # was told\n', ['prose: told', 'comments: told']],
  ])('reports violations in %s: %s', (path, source, expected) => {
    expect(list(path, source)).toEqual(expected)
  })

  test.each([
    ['code', 'Prints `told`:\n\n```ts\nconst told = 1 // what is\n```\n'],
    ['long lines of code', `~~~\n${'long '.repeat(40)}\n~~~\n`],
    ['a long link', `- [a link](https://example.com/${'a'.repeat(120)})\n`],
    [
      'link targets',
      'See [the section](#what-a-client-says) or [this][told].\n\n[told]: told.md\n',
    ],
    ['headings of columns', '| What it does | b |\n|---|---|\n| c | d |\n'],
  ])('accepts %s in Markdown', (_, source) => {
    expect(list('a.md', source)).toEqual([])
  })
})

describe('createAllowList', () => {
  const entries = [
    {file: 'a.ts', text: 'client is told', reason: 'a quote'},
    {file: 'docs/', text: 'told', reason: 'a quote'},
  ]

  test('covers findings within its texts and lists entries that cover none', () => {
    const allowList = createAllowList(entries)
    const source = '// A client is told. A hub is told.'
    const covered = checkFile('a.ts', source).map((finding) =>
      allowList.covers('a.ts', source, finding),
    )
    expect(covered).toEqual([true, false])
    expect(allowList.listUnused()).toEqual([entries[1]])
    expect(allowList.covers('docs/a.md', 'told', {offset: 0, length: 4})).toBe(true)
    expect(allowList.listUnused()).toEqual([])
  })
})

describe('check-language.js', () => {
  const script = fileURLToPath(new URL('../../scripts/check-language.js', import.meta.url))
  let folder = ''

  function check(files: Record<string, string>, ...args: string[]) {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-language-'))
    spawnSync('git', ['init', '-q'], {cwd: folder})
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return spawnSync(process.execPath, [script, ...args], {cwd: folder, encoding: 'utf8'})
  }

  afterEach(() => rmSync(folder, {recursive: true, force: true}))

  test('exits with 1 and names the place of a finding', () => {
    const {status, stdout} = check({'a.ts': '\n// Was told.\n', 'b.ts': '// Was told.\n'}, 'a.ts')
    expect(stdout).toContain('a.ts:2:8 comments "told" -> use emit')
    expect(stdout).toContain('1 findings in 1 of 1 files')
    expect(status).toBe(1)
  })

  test('exits with 0 when there is no finding of the kind', () => {
    const {status, stdout} = check({'a.ts': '// Was told.\n'}, '--kind', 'tests', '--summary')
    expect(stdout).toContain('0 findings')
    expect(status).toBe(0)
  })

  test.each([[['--kind', 'words']], [['missing.ts']]])('fails with arguments %j', (args) => {
    expect(check({'a.ts': ''}, ...args).status).toBe(1)
  })

  test('fails on entries of the allow-list that nothing needs', () => {
    const {status, stdout} = check({'a.ts': ''})
    expect(stdout).toContain('unused entry')
    expect(status).toBe(1)
  })
})
