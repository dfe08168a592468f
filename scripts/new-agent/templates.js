/** @typedef {{name: string, label: string, command: string}} NewAgent */

/**
 * The files of a new agent by their names. They compile, and their test fails with the next step.
 *
 * @param {NewAgent} agent
 * @returns {Record<string, string>}
 */
export function createFiles(agent) {
  return {
    'index.ts': createIndex(agent),
    'shapes.ts': createShapes(agent),
    'translate.ts': createTranslate(agent),
    'translate.test.ts': createTest(agent),
  }
}

/**
 * `acmeCode` for `acme-code`.
 *
 * @param {string} name
 */
export function toExportName(name) {
  return name.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())
}

/** @param {Pick<NewAgent, 'name' | 'command'>} agent */
export function describeNextSteps({name, command}) {
  return `
Next steps, with details in src/agents/README.md:
1. index.ts: write the flags that make ${command} print one JSON object per line, and its other facts.
2. npm run build, then record real runs:
     node dist/cli/bin.js run --id hello -- ${command} "Say hello"
     node dist/cli/bin.js record-fixture hello --agent ${name} --out src/agents/${name}/fixtures/<version>
3. shapes.ts: list every type and field. translate.ts: emit events.
4. npx vitest run --project unit src/agents/${name}
   npx vitest run --project unit src/agents/adapters.test.ts -t '^${name} '
5. npm run golden, then compare every line of the golden files with the recordings.
6. npm run check:static
`
}

/** @param {NewAgent} agent */
function createIndex({name, label, command}) {
  return `import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption} from '../../core/events/flags.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** ${label}: \`${command} --json …\`. */
export const ${toExportName(name)}: Adapter = {
  id: '${name}',
  label: '${label.replaceAll(/['\\]/g, String.raw`\$&`)}',
  commands: ['${command}'],
  packages: [],
  detect: (record) => (shapes.has(kindByType(record)) ? 1 : 0),
  flags: (args) => (hasOption(args, '--json') ? [] : ['--json']),
  printsText: (args) => !reader.isRun(args),
  findPrompt: (args) => reader.findPrompt(args),
  reports: {thinking: false, permissions: false, cost: false},
  kindOf: kindByType,
  shapes,
  createTranslator,
}

/** The options with a value, so that their values are not mistaken for the prompt. */
const reader = createArgumentReader({valued: '-m --model'})
`
}

/** @param {NewAgent} agent */
function createShapes({label}) {
  return `// ${label} <version>, captured on <date>.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'

/** Every known line of ${label}. */
export const shapes: Shapes = defineShapes({
  text: 'type text',
})
`
}

/** @param {NewAgent} agent */
function createTranslate({label}) {
  return `import type {Draft, Translator} from '../../core/events/adapter.ts'
import type {JsonObject} from '../../core/wire/json.ts'

/** Translates the output of ${label}. */
export function createTranslator(): Translator {
  return {translate}

  function translate(record: JsonObject): Draft[] {
    switch (record['type']) {
      default:
        return []
    }
  }
}
`
}

/** @param {NewAgent} agent */
function createTest({name}) {
  const adapter = toExportName(name)
  return `import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import {${adapter}} from './index.ts'

/** The events of records, as the parser emits them. */
function read(...records: object[]) {
  const parser = createEventParser(${adapter}, {now: () => 0})
  return [...records.flatMap((record) => parser.parse(JSON.stringify(record))), ...parser.end()]
}

test('translates a text', () => {
  const events = read({type: 'text', text: 'Hello'})
  if (events.length === 0) throw new Error('Next step: emit a text event in translate.ts')
  expect(events).toMatchObject([{type: 'text', text: 'Hello'}])
})
`
}
