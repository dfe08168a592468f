import {once} from 'node:events'
import {createServer, type RequestListener, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {WebSocketServer} from 'ws'
import {launchBrowser} from '../support/browser.ts'
import {createAuth, SERVER_OPTIONS, SOCKET_OPTIONS, type Auth} from '../../src/hub/auth/auth.ts'
import {planListenAddress} from '../../src/hub/auth/listen-address.ts'
import {createApp, createListener, requireRight} from '../../src/hub/http/app.ts'
import {refuseUpgrade, type Refusal} from '../../src/hub/http/refusal.ts'

const PAGE = '<!doctype html><link rel="icon" href="data:,"><title>page</title>'

/** Runs in the page: sends every kind of request and returns the result of each. */
const TRIES = `async (hub) => {
  const body = '{"allow": true}'
  const headers = {'content-type': 'application/json'}
  const ask = (options) => fetch(hub + '/api', options).then(({status}) => status, () => 'failed')
  const load = (name, attribute) => new Promise((resolve) => {
    const element = document.createElement(name)
    element.onload = () => resolve('loaded')
    element.onerror = () => resolve('failed')
    element[attribute] = hub + '/api'
    document.body.append(element)
  })
  const open = () => new Promise((resolve) => {
    const socket = new WebSocket(hub.replace('http', 'ws') + '/ws', 'vitrine')
    socket.onmessage = () => resolve('open')
    socket.onerror = () => resolve('failed')
  })
  return {
    beacon: navigator.sendBeacon(hub + '/api', body),
    get: await ask({credentials: 'include'}),
    post: await ask({method: 'POST', credentials: 'include', headers, body}),
    postPlain: await ask({method: 'POST', mode: 'no-cors', credentials: 'include', body}),
    image: await load('img', 'src'),
    script: await load('script', 'src'),
    socket: await open(),
  }
}`

describe('auth in a logged-in browser', async () => {
  const browser = await launchBrowser()
  const address = planListenAddress({port: 0, allowHosts: ['vitrine.localhost']})
  let servers: Server[] = []
  let hub: string
  let other: number
  let auth: Auth
  let reached: string[] = []
  /** The cookies that another server received. */
  let seen: string | undefined

  const listen = async (listener: RequestListener): Promise<Server> => {
    const server = createServer(SERVER_OPTIONS, listener).listen(0, address.host)
    servers.push(server)
    await once(server, 'listening')
    return server
  }
  const portOf = (server: Server): number => (server.address() as AddressInfo).port

  beforeAll(async () => {
    const app = createApp({onRefused: () => {}, onFailed: () => {}})
    const server = await listen((request, response) =>
      createListener(app, auth, () => {})(request, response),
    )
    const port = portOf(server)
    auth = createAuth({token: 't'.repeat(43), address, port})
    app.get('/', (call) => call.html(PAGE))
    app.get('/login', (call) => {
      call.header('set-cookie', auth.logIn(call.env.incoming, call.req.query('code') ?? ''))
      return call.redirect('/', 303)
    })
    // Chromium requests it also for an error page.
    app.get('/favicon.ico', (call) => call.body(null, 404))
    app.all('*', requireRight(auth, 'answer'), (call) => {
      reached.push(`${call.req.method} ${call.req.path}`)
      return call.json({})
    })
    const sockets = new WebSocketServer(SOCKET_OPTIONS)
    server.on('upgrade', (request, socket, head) => {
      try {
        auth.checkRequest(request)
        auth.authorize(request, 'view')
        reached.push('WebSocket')
        sockets.handleUpgrade(request, socket, head, (client) => client.send('{}'))
      } catch (error) {
        refuseUpgrade(socket, error as Refusal)
      }
    })
    hub = `http://127.0.0.1:${port}`
    const elsewhere = await listen((request, response) => {
      seen = request.headers.cookie
      response.setHeader('content-type', 'text/html')
      response.end(PAGE)
    })
    other = portOf(elsewhere)
  })

  beforeEach(() => {
    reached = []
  })

  afterAll(async () => {
    await browser?.close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    servers = []
  })

  /** A page after login. */
  const logIn = async () => {
    const context = await browser?.newContext()
    const page = await context?.newPage()
    await page?.goto(auth.createLoginLink())
    return page
  }

  test.skipIf(browser === undefined)(
    'admits its own page, whose scripts see no cookie',
    async () => {
      const page = await logIn()
      expect(page?.url()).toBe(`${hub}/`)
      expect(await page?.evaluate('document.cookie')).toBe('')
      expect(await page?.evaluate(`(${TRIES})(${JSON.stringify(hub)})`)).toMatchObject({
        get: 200,
        post: 200,
        socket: 'open',
      })
      expect(reached).toEqual(expect.arrayContaining(['GET /api', 'POST /api', 'WebSocket']))
    },
  )

  // The first receives the cookies of the hub, since cookies do not depend on ports.
  test.skipIf(browser === undefined).each(['127.0.0.1', 'localhost'])(
    'rejects every request of a page of another server on %s',
    async (name) => {
      const page = await logIn()
      await page?.goto(`http://${name}:${other}/`)
      expect(await page?.evaluate(`(${TRIES})(${JSON.stringify(hub)})`)).toEqual({
        // It reports only that the request was sent.
        beacon: true,
        get: 'failed',
        post: 'failed',
        postPlain: 'failed',
        image: 'failed',
        script: 'failed',
        socket: 'failed',
      })
      await page?.setContent(`<form method="post" enctype="text/plain" action="${hub}/api"></form>`)
      await Promise.all([page?.waitForNavigation(), page?.evaluate('document.forms[0].submit()')])
      expect(await page?.textContent('body')).toContain('"error"')
      await page?.goto(`http://${name}:${other}/`)
      await page?.setContent(`<iframe src="${hub}/"></iframe>`)
      expect(page?.frames().map((frame) => frame.url())).not.toContain(`${hub}/`)
      expect(reached).toEqual([])
    },
  )

  test.skipIf(browser === undefined)(
    'keeps the cookie from other servers when the hub has its own host name',
    async () => {
      const page = await logIn()
      await page?.goto(`http://127.0.0.1:${other}/`)
      expect(seen).toContain('vitrine-')
      const own = await (await browser?.newContext())?.newPage()
      const home = hub.replace('127.0.0.1', 'vitrine.localhost')
      await own?.goto(auth.createLoginLink().replace(hub, home))
      expect(await own?.evaluate(`(${TRIES})(${JSON.stringify(home)})`)).toMatchObject({post: 200})
      for (const name of ['127.0.0.1', 'localhost']) {
        await own?.goto(`http://${name}:${other}/`)
        expect(seen).toBeUndefined()
      }
    },
  )
})
