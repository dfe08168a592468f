import {formatDuration, formatMoney, type RunSummary} from '../core/index.ts'

/** A page with the runs, the newest first; or with why there are none to see, and how to get in. */
export function renderPage(content: readonly string[] | string): string {
  const body =
    typeof content === 'string'
      ? `<h1>Vitrine</h1><p>${escapeHtml(content)} Open the login link that <code>vitrine serve</code> printed, ` +
        'or make a new one with <code>vitrine login</code>.</p>'
      : `<h1>Vitrine</h1>${renderRuns(content.map((text) => JSON.parse(text) as RunSummary))}`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Vitrine</title><body>${body}</body></html>\n`
}

function renderRuns(runs: readonly RunSummary[]): string {
  if (runs.length === 0) {
    return '<p>No runs yet. Start one: <code>vitrine run -- claude -p "Fix the tests"</code></p>'
  }
  const head = ['Run', 'Agent', 'What', 'State', 'Took', 'Cost'].map((word) => `<th>${word}</th>`)
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${runs.map(renderRun).join('')}</tbody></table>`
}

function renderRun(run: RunSummary): string {
  const {runId, agent, title, verdict, waiting, startedAt, endedAt, costUsd} = run
  const state = verdict ?? waiting?.why ?? run.state
  const took = formatDuration((endedAt ?? Date.now()) - startedAt)
  const cost = costUsd === null ? '' : formatMoney(costUsd)
  const cells = [runId, agent ?? '', title, state, took, cost]
  return `<tr>${cells.map((text) => `<td>${escapeHtml(text)}</td>`).join('')}</tr>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
