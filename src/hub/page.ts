/** A page for those who cannot have the dashboard: says why, and what to do. */
export function renderPage(why: string, next: string = LOG_IN): string {
  const body = `<h1>Vitrine</h1><p>${escapeHtml(why)} ${next}</p>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Vitrine</title><body><main>${body}</main></body></html>\n`
}

const LOG_IN =
  'Open the login link that <code>vitrine serve</code> printed, or make a new one with <code>vitrine login</code>.'

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
