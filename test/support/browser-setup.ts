import {chromium, type BrowserServer} from 'playwright-core'
import type {TestProject} from 'vitest/node'
import {findBrowser, requireBrowser} from '../../scripts/find-browser.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the browser that all test files of a run share; undefined without a browser. */
    browserEndpoint: string | undefined
  }
}

/** Switches of the browser that tests use. */
export const BROWSER_ARGS: string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
]

let server: BrowserServer | undefined

/** Starts one browser for all projects of this run. */
export async function setup({vitest}: TestProject): Promise<void> {
  const root = vitest.getRootProject()
  if (root.getProvidedContext().browserEndpoint !== undefined) return
  const executablePath = process.env['CI'] === undefined ? findBrowser() : requireBrowser()
  if (executablePath === undefined) return
  server = await chromium.launchServer({executablePath, args: BROWSER_ARGS, host: '127.0.0.1'})
  // Values of the root project are visible in every project.
  root.provide('browserEndpoint', server.wsEndpoint())
}

/** Closes the browser, if this project started it. */
export async function teardown(): Promise<void> {
  await server?.close()
}
