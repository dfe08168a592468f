import {readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {toCleanLine} from '../core/text/text.ts'
import {isRecord, numberAt, type JsonObject} from '../core/wire/json.ts'
import {describeErrno, errnoOf} from './describe-errno.ts'

/** The settings in `config.json` of the data folder. */
interface Config {
  /** Prices by model, which replace the list prices. */
  prices: Readonly<Record<string, ConfiguredPrice>>
  archive: {enabled: boolean}
  budget: {monthUsd?: number | undefined}
}

/** Dollars for a million tokens. */
interface ConfiguredPrice {
  input: number
  output: number
  cacheRead?: number | undefined
  cacheWrite?: number | undefined
  hourCacheWrite?: number | undefined
}

/** The settings, and one line for each problem. */
export interface ReadConfig {
  config: Config
  problems: string[]
}

/** The path of the settings. */
export function configPath(dataDir: string): string {
  return join(dataDir, 'config.json')
}

/** Reads the settings. Without a file they are the defaults; an invalid setting is a problem and has its default. */
export function readConfig(dataDir: string): ReadConfig {
  const path = configPath(dataDir)
  const problems: string[] = []
  const report = (problem: string) => problems.push(`${path}: ${problem}`)
  try {
    return {config: parseConfig(readText(path, report), report), problems}
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') problems.push(`${describeErrno(error, path)}. ${UNUSED}`)
    return {config: parseConfig({}, report), problems}
  }
}

type Report = (problem: string) => void

const UNUSED = 'All settings have their defaults until this is corrected'
const MAX_BYTES = 1024 * 1024

function readText(path: string, report: Report): JsonObject {
  const stats = statSync(path)
  if (!stats.isFile()) report(`is not a regular file. ${UNUSED}`)
  else if (stats.size > MAX_BYTES) report(`is larger than 1 MiB. ${UNUSED}`)
  else return parseObject(readFileSync(path, 'utf8'), report)
  return {}
}

function parseObject(text: string, report: Report): JsonObject {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (isRecord(value)) return value
    report(`expected a JSON object. ${UNUSED}`)
  } catch (error) {
    const reason = error instanceof Error ? toCleanLine(error.message) : 'syntax error'
    report(`is not valid JSON (${reason}). ${UNUSED}`)
  }
  return {}
}

function parseConfig(fields: JsonObject, report: Report): Config {
  reportUnknown('', fields, ['prices', 'archive', 'budget'], report)
  const archive = objectOf(fields, 'archive', ['enabled'], report)
  const budget = objectOf(fields, 'budget', ['monthUsd'], report)
  return {
    prices: parsePrices(objectOf(fields, 'prices', undefined, report), report),
    archive: {enabled: parseEnabled(archive['enabled'], report)},
    budget: {monthUsd: parseBudget(budget['monthUsd'], report)},
  }
}

/** The object in a field; empty without the field and if it is invalid. */
function objectOf(
  fields: JsonObject,
  name: string,
  known: readonly string[] | undefined,
  report: Report,
): JsonObject {
  const value = fields[name]
  if (value === undefined) return {}
  if (!isRecord(value)) {
    report(`\`${name}\` is ignored: expected an object`)
    return {}
  }
  if (known !== undefined) reportUnknown(`${name}.`, value, known, report)
  return value
}

function reportUnknown(
  parent: string,
  fields: JsonObject,
  known: readonly string[],
  report: Report,
): void {
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue
    report(`\`${parent}${toCleanLine(name, 100)}\` is ignored: expected ${known.join(', ')}`)
  }
}

function parseEnabled(value: unknown, report: Report): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  report('`archive.enabled` is ignored: expected true or false')
  return false
}

function parseBudget(value: unknown, report: Report): number | undefined {
  if (value === undefined || (isAmount(value) && value > 0)) return value
  report('`budget.monthUsd` is ignored: expected dollars as a number above 0')
  return undefined
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function parsePrices(models: JsonObject, report: Report): Record<string, ConfiguredPrice> {
  return Object.fromEntries(
    Object.entries(models).flatMap(([model, value]) => {
      const price = parsePrice(`prices.${toCleanLine(model, 100)}`, value, report)
      return price === undefined ? [] : [[model, price]]
    }),
  )
}

const REQUIRED_RATES = ['input', 'output']
const RATES = [...REQUIRED_RATES, 'cacheRead', 'cacheWrite', 'hourCacheWrite']

/** A price with an invalid field is not used at all, because costs would be wrong. */
function parsePrice(name: string, value: unknown, report: Report): ConfiguredPrice | undefined {
  if (!isRecord(value)) {
    report(`\`${name}\` is ignored: expected an object with input and output`)
    return undefined
  }
  reportUnknown(`${name}.`, value, RATES, report)
  const wrong = RATES.find((rate) =>
    value[rate] === undefined ? REQUIRED_RATES.includes(rate) : !isAmount(value[rate]),
  )
  if (wrong !== undefined) {
    const expected = 'expected dollars for a million tokens, a number from 0'
    report(`\`${name}\` is ignored because of \`${wrong}\`: ${expected}`)
    return undefined
  }
  return {
    input: numberAt(value, 'input') ?? 0,
    output: numberAt(value, 'output') ?? 0,
    cacheRead: numberAt(value, 'cacheRead'),
    cacheWrite: numberAt(value, 'cacheWrite'),
    hourCacheWrite: numberAt(value, 'hourCacheWrite'),
  }
}
