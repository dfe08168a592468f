import {dirname} from 'node:path'
import {formatCount, formatMoney, formatNumber, formatShare} from '../../core/text/figures.ts'
import {findAtRisk} from '../../history/archive/at-risk.ts'
import {openArchive} from '../../history/archive/archive.ts'
import type {History} from '../../history/history.ts'
import {createPriceFinder, type PriceFinder} from '../../history/prices/find-price.ts'
import {areDisabled, findFlaw, listHandWritten, listOurs} from '../../hooks/settings.ts'
import {readSettings, settingsPath} from '../../hooks/settings-file.ts'
import {attempt} from '../../recording/attempt.ts'
import type {ReadConfig} from '../../recording/config.ts'
import type {Check} from '../../terminal/doctor.ts'
import {sumCostSince} from '../sum-cost.ts'

const GROUP = 'Data'

/** Checks what is kept, the prices, the budget and the settings. */
export function checkData(
  dataDir: string,
  history: History,
  {config, problems}: ReadConfig,
): Check[] {
  const prices = createPriceFinder(config.prices)
  return [
    checkRetention(dataDir, history),
    checkArchive(dataDir, config.archive.enabled),
    checkHooks(),
    checkPrices(history, prices),
    ...checkBudget(history, prices, config.budget.monthUsd),
    ...checkConfig(problems),
  ]
}

/** Whether Claude Code will delete sessions. */
function checkRetention(dataDir: string, {sessions}: History): Check {
  const check = {group: GROUP, name: 'Retention'}
  const risk = findAtRisk({dataDir, sessions})
  if (risk === null) {
    return {...check, state: 'pass', text: 'no session will be deleted within 7 days'}
  }
  const count = formatCount(risk.sessions, 'Claude Code session')
  const text = `${count} deleted within ${risk.withinDays} days`
  return {...check, state: 'warning', text, fix: 'Run: vitrine archive'}
}

function checkArchive(dataDir: string, isEnabled: boolean): Check {
  const check = {group: GROUP, name: 'Archive'}
  const stats = attempt(() => openArchive(dataDir).stats())
  if (stats === undefined) {
    return {...check, state: 'fail', text: 'cannot be read', fix: 'Run: vitrine archive verify'}
  }
  const mode = isEnabled ? ', new ones are added by vitrine serve' : ''
  if (stats.sessions === 0) return {...check, state: 'none', text: `no sessions yet${mode}`}
  return {...check, state: 'pass', text: `${formatCount(stats.sessions, 'session')}${mode}`}
}

/** Whether hooks of Claude Code are installed; they are optional. */
function checkHooks(): Check {
  const check = {group: GROUP, name: 'Hooks'}
  const path = settingsPath({})
  try {
    const settings = readSettings(path)?.text ?? ''
    const flaw = findFlaw(settings)
    if (flaw !== undefined) {
      return {...check, state: 'warning', text: `${path}: ${flaw}`, fix: 'Correct this file'}
    }
    const count = listOurs(settings).length + listHandWritten(settings).length
    if (count === 0) {
      return {
        ...check,
        state: 'none',
        text: 'not installed',
        fix: 'Optional: vitrine hooks install',
      }
    }
    if (areDisabled(settings)) {
      const text = 'disabled in the settings of Claude Code'
      return {...check, state: 'warning', text, fix: `Remove disableAllHooks from ${path}`}
    }
    return {...check, state: 'pass', text: `${formatCount(count, 'hook')} of Claude Code installed`}
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return {...check, state: 'warning', text, fix: `Check ${dirname(path)}`}
  }
}

/** Whether every model that was used has a price. */
function checkPrices({entries}: History, prices: PriceFinder): Check {
  const check = {group: GROUP, name: 'Prices'}
  const models = new Set<string>()
  for (const {requests} of entries) {
    for (const request of requests) {
      const {model, costUsd} = request
      if (model === undefined || costUsd !== undefined || models.has(model)) continue
      if (prices.priceOf(model, request.at) === undefined) models.add(model)
    }
  }
  const from = `from ${prices.pricesFrom}`
  if (models.size === 0) return {...check, state: 'pass', text: from}
  const text = `${from}; ${formatCount(models.size, 'model')} without a price: ${listNames([...models])}`
  return {...check, state: 'warning', text, fix: 'Set them: prices in config.json'}
}

const MAX_NAMES = 3

function listNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`
}

/** How much of the budget of the month is used. */
function checkBudget(
  {entries}: History,
  prices: PriceFinder,
  monthUsd: number | undefined,
): Check[] {
  if (monthUsd === undefined) return []
  const now = new Date()
  const since = new Date(now.getFullYear(), now.getMonth(), 1).getTime()
  const used = sumCostSince(entries, since, prices).costUsd / monthUsd
  const text = `${formatMoney(monthUsd)} a month, ${formatShare(used)} used`
  const check = {group: GROUP, name: 'Budget', text}
  if (used < 1) return [{...check, state: 'pass'}]
  return [{...check, state: 'warning', fix: 'Run: vitrine usage'}]
}

/** One warning for each problem in the settings. */
function checkConfig(problems: readonly string[]): Check[] {
  return problems.map((text) => ({
    group: GROUP,
    name: 'Settings',
    state: 'warning',
    text,
    fix: 'Correct config.json',
  }))
}
