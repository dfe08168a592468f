import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {escapeControls} from '../core/text/text.ts'
import {BLOCKS, FACTS_ID, type ExportedRun} from './exported-run.ts'

/** The built script and style of exported pages. */
const BUILD_URL = new URL('../dashboard-export/', import.meta.url)
const ICON = new URL('../dashboard/favicon.svg', import.meta.url)

/** The text of a page around its data. The page loads nothing, and its policy forbids loading. */
export interface PageParts {
  /** Everything before the data. */
  head: string
  /** Everything after the data. */
  tail(run: ExportedRun): string
}

/** Creates the parts of a page; its policy allows only its own script and style. */
export function createPageParts(title: string): PageParts {
  const script = fitIntoScript(readFileSync(new URL('export.js', BUILD_URL), 'utf8'))
  const style = readFileSync(new URL('export.css', BUILD_URL), 'utf8').replaceAll(
    '</',
    String.raw`<\/`,
  )
  const icon = readFileSync(ICON).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return {
    head: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(escapeControls(title))} · Vitrine</title>
<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
</head>
<body>
<div id="root"><main class="lone"><p>Unpacking… If this message stays, the file is incomplete, JavaScript is off, or the browser is too old.</p></main></div>
`,
    tail: (run) => `<script type="application/json" id="${FACTS_ID}">${encodeFacts(run)}</script>
<script>${script}</script>
</body>
</html>
`,
  }
}

/** Formats a block of items, given as JSON. */
export function formatItemBlock(items: readonly string[]): string {
  return formatBlock(BLOCKS.items, items)
}

/** Formats a block of full records, given as JSON, with their first and last line. */
export function formatRecordBlock(records: readonly string[], from: number, to: number): string {
  return formatBlock(`${BLOCKS.records} data-from="${from}" data-to="${to}"`, records)
}

function formatBlock(marks: string, values: readonly string[]): string {
  const packed = gzipSync(`[${values.join(',')}]`).toString('base64')
  return `<script type="application/octet-stream" ${marks}>${packed}</script>\n`
}

/** `</script>` and `<!--` occur only in strings and patterns, where the escape has the same meaning. */
function fitIntoScript(code: string): string {
  return code.replaceAll(/<(?=\/script|script|!--)/gi, String.raw`\x3c`)
}

function encodeFacts(run: ExportedRun): string {
  return JSON.stringify(run).replaceAll('<', String.raw`\u003c`)
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
