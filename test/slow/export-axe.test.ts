import axe from 'axe-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {exportGoing, exportTools, openExport} from '../support/export-page.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('an exported page', () => {
  let place: Place

  beforeAll(async () => {
    place = createPlace()
    await Promise.all([exportTools(place), exportGoing(place)])
  })

  afterAll(async () => {
    await browser?.close()
    place?.clear()
  })

  test.each([
    ['tools.html', 'light'],
    ['tools.html', 'dark'],
    ['going.html', 'light'],
    ['going.html', 'dark'],
  ] as const)('has no serious accessibility violation: %s, %s', async (name, theme) => {
    const {page, close} = await openExport(browser, place.file(name), {theme})
    await page.locator('[data-part=run-header]').waitFor()
    await page.evaluate(axe.source)
    const opened = {
      '': page.getByRole('feed').getByRole('article').first(),
      '1': page.getByRole('tab', {name: 'Files', selected: true}),
      '2': page.getByRole('tab', {name: 'Plan', selected: true}),
      '3': page.getByRole('tab', {name: 'Stats', selected: true}),
      '4': page.getByRole('tab', {name: 'Raw', selected: true}),
      '?': page.getByRole('dialog', {name: 'Keyboard shortcuts'}),
    }
    const serious: unknown[] = []
    for (const [key, part] of name === 'tools.html'
      ? Object.entries(opened)
      : [['', opened['']] as const]) {
      if (key !== '') await page.keyboard.press(key)
      await part.waitFor()
      const found = (await page.evaluate('axe.run()')) as {
        violations: {id: string; impact: string; nodes: {html: string}[]}[]
      }
      serious.push(
        ...found.violations
          .filter(({impact}) => impact === 'serious' || impact === 'critical')
          .map(({id, nodes}) => [key, id, ...nodes.map((node) => node.html)]),
      )
    }
    expect(serious).toEqual([])
    expect(await close()).toEqual([])
  })
})
