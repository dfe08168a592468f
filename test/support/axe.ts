import type {Page} from 'playwright-core'

interface Finding {
  id: string
  impact: string | null
  nodes: {target: string[]; html: string; failureSummary?: string}[]
}

const SERIOUS = new Set(['serious', 'critical'])

/** Serious accessibility violations on a page that has axe, as lines. */
export async function runAxe(page: Page, options: object = {}): Promise<string[]> {
  const given = JSON.stringify({resultTypes: ['violations'], ...options})
  const found = await page.evaluate<Finding[]>(
    `axe.run(document, ${given}).then(({violations}) => violations)`,
  )
  return found
    .filter(({impact}) => SERIOUS.has(impact ?? ''))
    .flatMap(({id, nodes}) =>
      nodes.map(({target, html, failureSummary = ''}) => {
        const why = failureSummary.split('\n').slice(1, 2).join(' ').trim()
        return `${id}: ${target.join(' ')}: ${html.slice(0, 120)}: ${why}`
      }),
    )
}

/** Serious violations in the light theme, and contrast violations in the dark theme, after the name of a place. */
export async function runAxeInThemes(page: Page, place: string): Promise<string[]> {
  const found = await runAxe(page)
  // Only colours differ between the themes.
  await page.emulateMedia({colorScheme: 'dark'})
  const dark = await runAxe(page, {runOnly: ['color-contrast']})
  await page.emulateMedia({colorScheme: 'light'})
  return [
    ...found.map((words) => `${place}: ${words}`),
    ...dark.map((words) => `${place}, dark: ${words}`),
  ]
}
