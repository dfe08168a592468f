import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {
  addHooks,
  ALL_EVENTS,
  eventsFor,
  findFlaw,
  listHandWritten,
  listOurs,
  removeHooks,
} from './settings.ts'

const EVENTS = ['PreToolUse', 'Stop', 'SessionEnd']
const foreign = {type: 'command', command: 'echo vitrine hook'}

/** Formats JSON with random white space. */
function formatRandomly(value: unknown, spaces: Iterator<string>): string {
  const space = () => String(spaces.next().value)
  if (Array.isArray(value)) {
    return `[${space()}${value.map((item) => formatRandomly(item, spaces)).join(`${space()},${space()}`)}${space()}]`
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([name, field]) =>
        `${JSON.stringify(name)}${space()}:${space()}${formatRandomly(field, spaces)}`,
    )
    return `{${space()}${fields.join(`${space()},${space()}`)}${space()}}`
  }
  return JSON.stringify(value)
}

const anyGroup = fc.record(
  {
    matcher: fc.string(),
    hooks: fc.array(fc.constantFrom(foreign, {type: 'prompt', prompt: 'x'}), {minLength: 1}),
  },
  {requiredKeys: ['hooks']},
)
const anyHooks = fc.dictionary(
  fc.constantFrom(...EVENTS, 'Notification'),
  fc.array(anyGroup, {minLength: 1, maxLength: 3}),
  {minKeys: 1},
)
const anySettings = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue({maxDepth: 3}), {minKeys: 1}),
    fc.option(anyHooks, {nil: undefined}),
  )
  .map(([fields, hooks]) => {
    const {hooks: _, ...rest} = fields
    return hooks === undefined ? {model: 'x', ...rest} : {...rest, hooks}
  })
const anySpaces = fc.infiniteStream(fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', '  '))

describe('hooks', () => {
  test('are added once per event, and removing them restores any settings byte for byte', () => {
    fc.assert(
      fc.property(anySettings, anySpaces, (value, spaces) => {
        const text = `${formatRandomly(value, spaces)}\n`
        const added = addHooks(text, 'vitrine hook', EVENTS)
        expect(
          listOurs(added)
            .map(({event}) => event)
            .toSorted(),
        ).toEqual(EVENTS.toSorted())
        expect(addHooks(added, 'vitrine hook', EVENTS)).toBe(added)
        expect(removeHooks(added)).toBe(text)
        expect(findFlaw(added)).toBe(undefined)
      }),
    )
  })

  test('do not change other settings', () => {
    fc.assert(
      fc.property(anySettings, anySpaces, (value, spaces) => {
        const text = formatRandomly(value, spaces)
        const {hooks = {}, ...rest} = JSON.parse(addHooks(text, 'vitrine hook', EVENTS)) as {
          hooks?: Record<string, unknown[]>
        }
        const {hooks: before = {}, ...others} = JSON.parse(text) as {
          hooks?: Record<string, unknown[]>
        }
        expect(rest).toEqual(others)
        for (const [event, groups] of Object.entries(before)) {
          expect(hooks[event]?.slice(0, groups.length)).toEqual(groups)
        }
      }),
    )
  })

  test('follow the style of the settings', () => {
    const hook = '{"type":"command","command":"vitrine hook","timeout":10}'
    expect(addHooks('{"a":1}', 'vitrine hook', ['Stop'])).toBe(
      `{"a":1,"hooks":{"Stop":[{"hooks":[${hook}]}]}}`,
    )
    expect(addHooks('', 'vitrine hook', ['Stop'])).toBe(
      `${JSON.stringify({hooks: {Stop: [{hooks: [JSON.parse(hook) as unknown]}]}}, null, 2)}\n`,
    )
    expect(addHooks('{\n\t"a": 1\n}', 'vitrine hook', ['Stop'])).toBe(
      JSON.stringify({a: 1, hooks: {Stop: [{hooks: [JSON.parse(hook) as unknown]}]}}, null, '\t'),
    )
  })

  test('stay on one line in a list on one line', () => {
    const text = '{\n  "hooks": {\n    "Stop": [{"hooks": []}]\n  }\n}\n'
    const added = addHooks(text, 'vitrine hook', ['Stop'])
    expect(added).toBe(
      '{\n  "hooks": {\n    "Stop": [{"hooks": []}, { "hooks": [ { "type": "command", "command": "vitrine hook", "timeout": 10 } ] }]\n  }\n}\n',
    )
    expect(removeHooks(added)).toBe(text)
  })

  test('are replaced if their command differs, and removed for other events', () => {
    const before = addHooks('{}', `'/n/node' '/v/dist/cli/bin.js' hook`, ['Stop', 'Setup'])
    expect(listOurs(addHooks(before, 'vitrine hook', ['Stop']))).toEqual([
      {event: 'Stop', command: 'vitrine hook'},
    ])
  })

  test.each([
    ['vitrine hook', true],
    [`vitrine hook --data-dir '/a b'`, true],
    [`'/n/node' '/it'\\''s/cli/bin.js' hook`, true],
    ['"C:\\node.exe" "C:\\v\\cli\\bin.js" hook', true],
    ['echo vitrine hook', false],
    ['vitrine hook | tee log', false],
    ['vitrine hook && rm log', false],
    ['vitrine hooks status', false],
    ['vitrine run -- claude', false],
    ['my-vitrine hook', false],
    [`'/n/node' '/other/tool.js' hook`, false],
  ])('are recognised by their command: %s', (command, isOurs) => {
    const hook = {type: 'command', command, timeout: 10}
    const text = JSON.stringify({hooks: {Stop: [{hooks: [hook]}]}})
    expect(listOurs(text)).toHaveLength(isOurs ? 1 : 0)
    expect(removeHooks(text)).toBe(isOurs ? '{}' : text)
  })
})

describe('a manually written hook that calls Vitrine', () => {
  const hook = {type: 'command', command: 'vitrine hook', timeout: 10}

  test.each([
    ['a matcher', {matcher: 'Bash', hooks: [hook]}],
    ['another timeout', {hooks: [{...hook, timeout: 60}]}],
    ['no timeout', {hooks: [{type: 'command', command: 'vitrine hook'}]}],
    ['more fields', {hooks: [{...hook, statusMessage: 'Recording'}]}],
  ])('is not changed, and no second hook is added: %s', (_, group) => {
    const text = JSON.stringify({hooks: {PreToolUse: [group]}})
    const added = addHooks(text, 'vitrine hook', EVENTS)
    expect(listOurs(added).map(({event}) => event)).toEqual(['Stop', 'SessionEnd'])
    expect(listHandWritten(added)).toEqual(['PreToolUse'])
    expect(removeHooks(added)).toBe(text)
  })
})

test('rejects settings with hooks that occur twice', () => {
  expect(findFlaw('{"hooks": {}, "a": 1, "hooks": {}}')).toBe('"hooks" occurs twice')
  expect(findFlaw('{"hooks": {"Stop": [], "Stop": []}}')).toBe('"hooks.Stop" occurs twice')
  expect(findFlaw('{"a": {"b": 1, "b": 2}, "hooks": {"Stop": [{}, {}]}}')).toBe(undefined)
})

test('rejects settings that are nested too deeply', () => {
  const deep = `{"a": ${'['.repeat(3000)}${']'.repeat(3000)}}`
  expect(findFlaw(deep)).toBe('nested deeper than 500 levels')
  expect(findFlaw(`{"a": "${'['.repeat(3000)}"}`)).toBe(undefined)
})

test.each([
  ['2.1.325', ALL_EVENTS.length],
  ['2.1.251', ALL_EVENTS.length],
  ['2.2.0', ALL_EVENTS.length],
  ['3.0.0', ALL_EVENTS.length],
  ['2.1.250', 9],
  ['2.0.999', 9],
  ['1.9.300', 9],
  ['odd', 9],
  [null, 9],
])('installs hooks for the events of Claude %s: %i', (version, count) => {
  expect(eventsFor(version)).toHaveLength(count)
})

test('does not quote settings in errors, because they may contain secrets', () => {
  expect(findFlaw('{"env": {"KEY": sk-secret}}')).toBe('not valid JSON (line 1)')
})
