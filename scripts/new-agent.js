// Creates the folder of a new agent and adds it to src/agents/adapters.ts. src/agents/README.md is the guide.
//
//   npm run new-agent acme
//   npm run new-agent acme -- --label "Acme CLI" --command acme-cli
//   npm run new-agent acme -- --root /tmp/copy      in a copy of the repository

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {createFiles, describeNextSteps, toExportName} from './new-agent/templates.js'

const NAME = /^[a-z]+(?:-[a-z]+)*$/

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    label: {type: 'string'},
    command: {type: 'string'},
    root: {type: 'string', default: fileURLToPath(new URL('..', import.meta.url))},
  },
})
const [name = '', ...others] = positionals
const agents = join(values.root, 'src/agents')
const list = join(agents, 'adapters.ts')
const problem = findProblem()
if (problem === undefined) create()
else {
  process.stderr.write(`new-agent: ${problem}\n`)
  process.exitCode = 1
}

function findProblem() {
  if (name === '' || others.length > 0) return 'expected one name, as in: npm run new-agent acme'
  if (!NAME.test(name))
    return `invalid name "${name}": expected lower-case words such as acme or acme-code`
  if (!existsSync(list)) return `${list} does not exist: run it in the repository of Vitrine`
  if (existsSync(join(agents, name))) return `src/agents/${name} already exists`
  const isListed = readFileSync(list, 'utf8').includes(`export {${toExportName(name)}} `)
  return isListed ? `src/agents/adapters.ts already has ${toExportName(name)}` : undefined
}

function create() {
  const {label = toLabel(name), command = name} = values
  const folder = join(agents, name)
  mkdirSync(join(folder, 'fixtures'), {recursive: true})
  for (const [file, content] of Object.entries(createFiles({name, label, command}))) {
    writeFileSync(join(folder, file), content)
    process.stdout.write(`Created src/agents/${name}/${file}\n`)
  }
  writeFileSync(list, addLine(readFileSync(list, 'utf8')))
  process.stdout.write(`Added ${toExportName(name)} to src/agents/adapters.ts\n`)
  process.stdout.write(describeNextSteps({name, command}))
}

/**
 * Adds the export of the agent in alphabetical order, after the comment at the top.
 *
 * @param {string} text
 */
function addLine(text) {
  const lines = text.trimEnd().split('\n')
  const line = `export {${toExportName(name)}} from './${name}/index.ts'`
  const first = lines.findIndex((each) => each.startsWith('export '))
  const sorted = [...lines.slice(first), line].toSorted((a, b) =>
    folderOf(a) < folderOf(b) ? -1 : 1,
  )
  return `${[...lines.slice(0, first), ...sorted].join('\n')}\n`
}

/** @param {string} line */
function folderOf(line) {
  return /'\.\/([^/]+)\//.exec(line)?.[1] ?? ''
}

/** @param {string} id */
function toLabel(id) {
  return id.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => ` ${letter.toUpperCase()}`).trim()
}
