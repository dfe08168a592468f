import {createHash} from 'node:crypto'
import {html, raw} from 'hono/html'
import type {ContentfulStatusCode} from 'hono/utils/http-status'
import type {Call} from './app.ts'

/**
 * Whether another site started the navigation, such as a link in web mail. The browser then sends no
 * `SameSite=Strict` cookie, not even after a redirect.
 */
export function isFromOtherSite({req}: Call): boolean {
  const site = req.header('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/** Sends a page that redirects to a path of the hub, so that the navigation is same-site and has the cookie. */
export async function sendContinuePage(call: Call, path: string): Promise<Response> {
  const refresh = html`<meta http-equiv="refresh" content="0;url=${path}" />`
  return send(call, 200, html`<p><a href="${path}">Open the dashboard</a></p>`, refresh)
}

/** Sends a page instead of the dashboard that explains why and what to do. */
export async function sendPage(
  call: Call,
  status: ContentfulStatusCode,
  why: string,
  next: string = LOG_IN,
): Promise<Response> {
  const heading = html`<h1>${why}</h1>`
  return send(call, status, html`${heading}${raw(next)}`)
}

type Html = ReturnType<typeof html>

function send(call: Call, status: ContentfulStatusCode, main: Html, head: Html | string = '') {
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      ${head}
      <title>Vitrine</title>
      <style>
        ${raw(STYLE)}
      </style>
      <body>
        <main>${raw(LOGO)}${main}</main>
      </body>
    </html> `
  return call.html(page, status, {'content-security-policy': POLICY})
}

/** Whether a browser requests a page, and not a program an API response. */
export function wantsPage({req}: Call): boolean {
  return req.method === 'GET' && /\btext\/html\b/.test(req.header('accept') ?? '')
}

/** Whether the browser only prefetches or previews. */
export function isPrefetch({req}: Call): boolean {
  return /\bprefetch\b/.test(`${req.header('sec-purpose') ?? ''} ${req.header('purpose') ?? ''}`)
}

/** For logged-in users on an unknown path. */
export const GO_HOME = '<p>Go to the dashboard to see all runs.</p><a href="/">All runs</a>'
/** For a hub without a built dashboard. */
export const BUILD_IT = '<p>Build it with:</p><pre>npm run build</pre>'

const LOG_IN =
  '<p>Open the login link that <code>vitrine serve</code> printed, or create a new one:</p><pre>vitrine login</pre>'

const LOGO =
  '<svg viewBox="0 0 20 20" width="56" height="56" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="M3 17.25h14M4.5 14.5v-11h11v11z" stroke-linejoin="round"/><path d="M7 7.5 9.5 5M7 11l6-6" stroke-linecap="round" opacity=".55"/></svg>'

/** Styled like the dashboard and self-contained: an unauthorized client gets no other file. */
const STYLE = `
:root{color-scheme:light dark;font:14px/20px system-ui,sans-serif;color:#4b4d52;background:#f7f7f5}
main{max-width:552px;margin:14vh auto 0;padding:0 16px 32px;text-align:center}
svg{color:#65676c}
h1{margin:12px 0 4px;font-size:20px;line-height:26px;font-weight:600;color:#1a1b1e}
p{margin:8px 0}
pre{margin:20px 0;padding:10px 16px;font:13px/20px ui-monospace,monospace;text-align:left;color:#1a1b1e;background:#fff;border:1px solid #cbcbc4;border-radius:6px}
code{font:13px ui-monospace,monospace;color:#1a1b1e}
a{color:#2456c8}
@media (prefers-color-scheme:dark){
:root{color:#b4bac1;background:#0f1113}
svg{color:#9aa1a9}
h1,pre,code{color:#e8eaed}
pre{background:#16191c;border-color:#373d44}
a{color:#8ab0ff}
}`

/** Allows this style and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
