import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import {escapeControls} from '../core/text/text.ts'
import {BLOCKS, FACTS_ID, type ExportedRun} from './exported-run.ts'

/** Where the script and the style of exported pages are, once built. */
const BUILT = new URL('../dashboard-export/', import.meta.url)
const ICON = new URL('../dashboard/favicon.svg', import.meta.url)

/** The text of a page around and between its data. Nothing of it is loaded, and nothing in it can load anything. */
export interface PageParts {
  /** Everything before the data. */
  head: string
  /** Everything after it. */
  tail(run: ExportedRun): string
}

/** Makes a page with a title; its policy allows the script and the style in it, and no other. */
export function makePageParts(title: string): PageParts {
  const script = fitIntoScript(readFileSync(new URL('export.js', BUILT), 'utf8'))
  const style = readFileSync(new URL('export.css', BUILT), 'utf8').replaceAll('</', String.raw`<\/`)
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
<div id="root"><main class="lone"><p>Unpacking… If this stays, the file is not whole, JavaScript is off, or the browser is too old.</p></main></div>
`,
    tail: (run) => `<script type="application/json" id="${FACTS_ID}">${encodeFacts(run)}</script>
<script>${script}</script>
</body>
</html>
`,
  }
}

/** A block of items of the run, given as JSON. */
export function packItems(items: readonly string[]): string {
  return packBlock(BLOCKS.items, items)
}

/** A block of lines in full, given as JSON, of which the first and the last are said. */
export function packRecords(records: readonly string[], from: number, to: number): string {
  return packBlock(`${BLOCKS.records} data-from="${from}" data-to="${to}"`, records)
}

function packBlock(marks: string, values: readonly string[]): string {
  const packed = gzipSync(`[${values.join(',')}]`).toString('base64')
  return `<script type="application/octet-stream" ${marks}>${packed}</script>\n`
}

/** What would end a script, or begin a comment in it, is in texts and patterns only, and means the same when it is escaped. */
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
