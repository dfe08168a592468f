import {once} from 'node:events'
import {mkdtempSync, rmSync} from 'node:fs'
import {createServer, type IncomingMessage, type Server} from 'node:http'
import {connect, type AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {WebSocket, WebSocketServer} from 'ws'
import {createAuth, SERVER_OPTIONS, SOCKET_OPTIONS, type Auth} from './auth.ts'
import {describeRequest} from './check-request.ts'
import {planListenAddress} from './listen-address.ts'
import {createApp, createListener, requireRight, type Call} from '../http/app.ts'
import {readJsonBody} from '../http/read-request.ts'
import {refuseBroken, refuseUpgrade, type Refusal} from '../http/refusal.ts'
import {createSessionCookie} from './session-cookie.ts'
import {deriveToken, openToken} from './tokens.ts'

// A server with only the auth of a hub, on a real port.

const MAX_BODY_BYTES = 1000

const address = planListenAddress({port: 0, allowHosts: ['hub.test', 'https://proxy.test']})

let dataDir: string
let token: string
let server: Server
let port: number
let auth: Auth
let clock = Date.now()
let log: string[] = []
/** Routes that a request reached. */
let reached: string[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-auth-'))
  token = openToken(dataDir)
  const sockets = new WebSocketServer(SOCKET_OPTIONS)
  // Tests read until the connection is closed.
  server = createServer({...SERVER_OPTIONS, keepAliveTimeout: 100})
  server.listen(address.port, address.host)
  await once(server, 'listening')
  port = portOf(server)
  server.on('clientError', refuseBroken)
  server.on('request', (request) => log.push(describeRequest(request)))
  server.on(
    'request',
    createListener(createTestApp(), current, () => {}),
  )
  server.on('upgrade', (request, socket, head) => {
    log.push(describeRequest(request))
    try {
      auth.checkRequest(request)
      const rights = auth.authorize(request, 'view')
      sockets.handleUpgrade(request, socket, head, (client) => {
        client.on('error', () => client.terminate())
        client.send(JSON.stringify(rights))
      })
    } catch (error) {
      refuseUpgrade(socket, error as Refusal)
    }
  })
})

beforeEach(() => {
  log = []
  reached = []
  clock = Date.now()
  auth = createAuth({token, address, port, now: () => clock})
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(dataDir, {recursive: true, force: true})
})

/** The auth of the current test. */
const current: Auth = {
  checkRequest: (request) => auth.checkRequest(request),
  authorize: (request, right) => auth.authorize(request, right),
  createLoginLink: () => auth.createLoginLink(),
  logIn: (request, code) => auth.logIn(request, code),
  logOut: () => auth.logOut(),
}

function createTestApp() {
  const app = createApp({onRefused: () => {}, onFailed: () => {}})
  const reach = (call: Call) => {
    reached.push(`${call.req.method} ${call.req.path}`)
    return call.json({})
  }
  const readAndReach = async (call: Call) => {
    await readJsonBody(call, MAX_BODY_BYTES)
    return reach(call)
  }
  app.get('/', (call) => call.text('page'))
  app.get('/login', (call) => {
    call.header('set-cookie', auth.logIn(call.env.incoming, call.req.query('code') ?? ''))
    return call.redirect('/', 303)
  })
  app.post('/api/answer', requireRight(current, 'answer'), readAndReach)
  app.put('/api/bytes', requireRight(current, 'ingest'), readAndReach)
  app.get('*', requireRight(current, 'view'), reach)
  return app
}

function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port
}

interface Answer {
  /** Whether the hub closed the connection. */
  isClosed?: boolean
  status: number
  code: string | undefined
  headers: Map<string, string>
  text: string
}

/** Sends raw bytes, and reads until the hub closes the connection. */
async function sendRaw(bytes: string, {to = port} = {}): Promise<Answer> {
  const socket = connect(to, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
  // The hub may close the connection while bytes are still being sent.
  socket.on('error', () => socket.destroy())
  socket.write(bytes)
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => true)
  const isClosed = await Promise.race([closed, sleep(5000, false)])
  socket.destroy()
  return {...parseAnswer(text), isClosed}
}

function parseAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [name = '', ...value] = line.split(': ')
    headers.set(name.toLowerCase(), value.join(': '))
  }
  const [, code] = /"code":"([^"]*)"/.exec(body) ?? []
  return {status: Number(first.split(' ')[1] ?? 0), code, headers, text}
}

interface Ask {
  host?: string | null | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
}

/** Sends one request, with exactly these headers. */
function ask(line: string, {host, headers = {}, body}: Ask = {}): Promise<Answer> {
  const all = {
    ...(host === null ? {} : {Host: host ?? `127.0.0.1:${port}`}),
    ...(body === undefined ? {} : {'Content-Length': String(Buffer.byteLength(body))}),
    ...headers,
    Connection: headers['Connection'] ?? 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendRaw(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

const bearer = (given: string): Record<string, string> => ({Authorization: `Bearer ${given}`})
const json = {'Content-Type': 'application/json'}
const home = (): string => `http://127.0.0.1:${port}`

/** Logs a browser in and returns its cookie. */
async function logIn(): Promise<string> {
  const {pathname, search} = new URL(auth.createLoginLink())
  const {headers} = await ask(`GET ${pathname}${search}`)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Opens a WebSocket with `ws`; returns the first message, or the code of the refusal. */
async function openSocket(
  protocols: string[],
  headers: Record<string, string> = {},
): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, protocols, {headers})
  const message = once(socket, 'message').then(([data]) => `${socket.protocol} ${String(data)}`)
  const refusal = once(socket, 'unexpected-response').then(async ([, response]) => {
    let text = ''
    for await (const chunk of response as IncomingMessage) text += String(chunk)
    return /"code":"([^"]*)"/.exec(text)?.[1] ?? text
  })
  message.catch(() => {})
  refusal.catch(() => {})
  const result = await Promise.race([message, refusal])
  socket.on('error', () => {})
  socket.terminate()
  return result
}

/** The headers of an upgrade, for requests that `ws` cannot send. */
const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

describe('an authorised client', () => {
  test('is admitted with a token in a header', async () => {
    expect(await ask('GET /api/runs', {headers: bearer(token)})).toMatchObject({status: 200})
    const posted = await ask('POST /api/answer', {
      headers: {...bearer(deriveToken(token, 'answer')), ...json},
      body: '{"a": 1}',
    })
    expect(posted.status).toBe(200)
    const put = await ask('PUT /api/bytes', {
      headers: {...bearer(deriveToken(token, 'ingest')), ...json},
      body: 'any',
    })
    expect(put.status).toBe(200)
    expect(reached).toEqual(['GET /api/runs', 'POST /api/answer', 'PUT /api/bytes'])
  })

  test('is admitted with the cookie of a login link, from the dashboard', async () => {
    const cookie = await logIn()
    expect(cookie).toMatch(new RegExp(`^vitrine-${port}=answer\\.`))
    const headers = {Cookie: `other=1; ${cookie}`, 'Sec-Fetch-Site': 'same-origin'}
    expect(await ask('GET /api/runs', {headers})).toMatchObject({status: 200})
    const posted = await ask('POST /api/answer', {
      headers: {...headers, ...json, Origin: home()},
      body: '{}',
    })
    expect(posted.status).toBe(200)
    expect(await openSocket(['vitrine'], {Cookie: cookie, Origin: home()})).toBe(
      'vitrine {"view":true,"answer":true,"ingest":false}',
    )
  })

  test('is admitted with a token in a subprotocol, which is not echoed', async () => {
    const view = deriveToken(token, 'view')
    expect(await openSocket(['vitrine', `token.${view}`])).toBe(
      'vitrine {"view":true,"answer":false,"ingest":false}',
    )
    expect(await openSocket(['vitrine', `token.${token}`], {Origin: home()})).toBe(
      'vitrine {"view":true,"answer":true,"ingest":true}',
    )
    expect(await openSocket(['vitrine'], bearer(token))).toMatch(/^vitrine /)
  })

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    '[::1]',
    '127.0.0.1',
    'hub.test',
    'Hub.Test.',
  ])('is admitted under the host name %s', async (name) => {
    const host = `${name}:${port}`
    const headers = {...bearer(token), Origin: `http://${host}`}
    expect(await ask('GET /api/runs', {host, headers})).toMatchObject({status: 200})
  })

  test('is admitted through an allowed proxy that terminates TLS', async () => {
    const headers = {...bearer(token), Origin: 'https://proxy.test'}
    expect(await ask('GET /api/runs', {host: 'proxy.test', headers})).toMatchObject({status: 200})
    const plain = {...bearer(token), Origin: 'http://proxy.test'}
    expect(await ask('GET /api/runs', {host: 'proxy.test', headers: plain})).toMatchObject({
      code: 'bad-origin',
    })
  })

  test('is admitted when the URL contains the host', async () => {
    const line = `GET http://127.0.0.1:${port}/api/runs?x=1`
    expect(await ask(line, {headers: bearer(token)})).toMatchObject({status: 200})
    expect(await ask('GET //other.test/api/runs', {headers: bearer(token)})).toMatchObject({
      status: 200,
    })
    // A path that starts with two slashes names no host.
    expect(reached).toEqual(['GET /api/runs', 'GET //other.test/api/runs'])
  })

  test('gets only the page after following a link on another site', async () => {
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    }
    expect(await ask('GET /', {headers: link})).toMatchObject({status: 200})
    expect(await ask('GET /api/runs', {headers: link})).toMatchObject({status: 401})
  })
})

describe('a foreign host name', () => {
  test.each([
    ['DNS rebinding', (at: number) => `evil.test:${at}`],
    ['a name with our name as a prefix', (at: number) => `localhost.evil.test:${at}`],
    ['a name with our address as a prefix', (at: number) => `127.0.0.1.evil.test:${at}`],
    ['another port', (at: number) => `127.0.0.1:${at + 1}`],
    ['no port', () => '127.0.0.1'],
    ['two dots', (at: number) => `localhost..:${at}`],
    ['a user name before the host', (at: number) => `localhost:${at}@evil.test`],
    ['two names', (at: number) => `localhost:${at}, evil.test`],
    ['a path', (at: number) => `localhost:${at}/`],
    ['a short form of the address', (at: number) => `127.1:${at}`],
    ['an empty name', () => ''],
  ])('is refused in the Host header: %s', async (_, host) => {
    const refused = await ask('GET /api/runs', {host: host(port), headers: bearer(token)})
    expect(refused).toMatchObject({status: 421, code: 'bad-host'})
    const headers = {...upgrade, ...bearer(token)}
    const socket = await ask('GET /ws', {host: host(port), headers})
    expect(socket).toMatchObject({status: 421, code: 'bad-host'})
    expect(reached).toEqual([])
  })

  test('is refused in a second Host header', async () => {
    const ours = `Host: 127.0.0.1:${port}\r\n`
    for (const hosts of [`${ours}Host: evil.test\r\n`, `Host: evil.test\r\n${ours}`, ours + ours]) {
      const text = `GET /api/runs HTTP/1.1\r\n${hosts}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
      const {status} = await sendRaw(text)
      expect([400, 421]).toContain(status)
    }
    expect(reached).toEqual([])
  })

  test('is required: a request without one is refused in any version of HTTP', async () => {
    const header = `Authorization: Bearer ${token}\r\n\r\n`
    expect(await sendRaw(`GET /api/runs HTTP/1.0\r\n${header}`)).toMatchObject({status: 421})
    expect(await sendRaw(`GET /api/runs HTTP/1.1\r\n${header}`)).toMatchObject({status: 400})
    expect(reached).toEqual([])
  })

  test.each([
    ['http://evil.test/api/runs', 'bad-url'],
    ['http://127.0.0.1:1/api/runs', 'bad-url'],
    ['ftp://127.0.0.1/api/runs', 'bad-url'],
    ['*', 'bad-url'],
  ])('is refused in the URL: %s', async (target, code) => {
    expect(await ask(`GET ${target}`, {headers: bearer(token)})).toMatchObject({status: 400, code})
  })
})

describe('a foreign origin', () => {
  const others = (): string[] => [
    'http://evil.test',
    'null',
    '',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port + 1}`,
    'http://127.0.0.1',
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}.evil.test`,
    `http://127.0.0.1:${port}/`,
    `http://user@127.0.0.1:${port}`,
    `http://127.0.0.1:${port}://evil.test`,
    `http://127.0.0.1:${port}://`,
    'chrome-extension://abcdefghijklmnop',
    'file://',
  ]

  test('is refused for any form of origin, even with the token', async () => {
    const cookie = await logIn()
    for (const Origin of others()) {
      const headers = {...bearer(token), ...json, Cookie: cookie, Origin}
      const post = await ask('POST /api/answer', {headers, body: '{}'})
      expect({Origin, code: post.code}).toEqual({Origin, code: 'bad-origin'})
      expect(await ask('GET /api/runs', {headers})).toMatchObject({code: 'bad-origin'})
      const socket = await ask('GET /ws', {headers: {...headers, ...upgrade}})
      expect({Origin, status: socket.status}).toEqual({Origin, status: 403})
    }
    expect(await openSocket(['vitrine', `token.${token}`], {Origin: 'http://evil.test'})).toBe(
      'bad-origin',
    )
    expect(reached).toEqual([])
  })

  test('is refused in a second Origin header', async () => {
    const both = `Origin: http://127.0.0.1:${port}\r\nOrigin: http://evil.test\r\n`
    const text = `POST /api/answer HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${both}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
    expect(await sendRaw(text)).toMatchObject({code: 'bad-origin'})
  })

  test.each(['cross-site', 'same-site', 'anything'])(
    'is refused when Sec-Fetch-Site is %s',
    async (site) => {
      const headers = {...bearer(token), 'Sec-Fetch-Site': site}
      expect(await ask('GET /api/runs', {headers})).toMatchObject({status: 403, code: 'other-site'})
      const frame = {...headers, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe'}
      expect(await ask('GET /', {headers: frame})).toMatchObject({code: 'other-site'})
      const form = {...frame, 'Sec-Fetch-Dest': 'document'}
      expect(await ask('POST /api/answer', {headers: form})).toMatchObject({code: 'other-site'})
    },
  )

  test('cannot use the cookie without an Origin header', async () => {
    const headers = {Cookie: await logIn(), ...json}
    const post = await ask('POST /api/answer', {headers, body: '{}'})
    expect(post).toMatchObject({status: 403, code: 'no-origin'})
    expect(await openSocket(['vitrine'], headers)).toBe('no-origin')
    expect(reached).toEqual([])
  })

  test.each([
    ['text/plain', '{"allow": true}'],
    ['application/x-www-form-urlencoded', 'allow=true'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain; application/json', '{}'],
    ['application/jsonx', '{}'],
    ['', '{}'],
  ])('cannot send a form, even with a valid cookie and origin: %s', async (type, body) => {
    const headers = {'Content-Type': type, Cookie: await logIn(), Origin: home()}
    const post = await ask('POST /api/answer', {headers, body})
    expect(post).toMatchObject({status: 415, code: 'bad-content-type'})
    expect(reached).toEqual([])
  })

  test('gets no CORS permission from a preflight request', async () => {
    const headers = {
      Origin: 'http://evil.test',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
      'Access-Control-Request-Private-Network': 'true',
    }
    const preflight = await ask('OPTIONS /api/answer', {headers})
    expect(preflight).toMatchObject({status: 405, code: 'method-not-allowed'})
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, POST, PUT, DELETE')
    expect(preflight.text.toLowerCase()).not.toContain('access-control')
  })
})

describe('a client without a valid token', () => {
  test('is refused without a token and with a wrong one', async () => {
    const none = await ask('GET /api/runs')
    expect(none).toMatchObject({status: 401, code: 'unauthorized'})
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="vitrine"')
    expect(await openSocket([])).toBe('unauthorized')
    expect(await openSocket(['vitrine'])).toBe('unauthorized')
    for (const wrong of ['wrong', deriveToken('other', 'view'), token.slice(1)]) {
      expect(await ask('GET /api/runs', {headers: bearer(wrong)})).toMatchObject({status: 401})
      expect(await openSocket(['vitrine', `token.${wrong}`])).toBe('unauthorized')
    }
    expect(reached).toEqual([])
  })

  test.each([
    () => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    () => token,
    () => `Bearer ${token} ${token}`,
    () => `Bearer ${token},Bearer ${token}`,
    () => 'Bearer',
    () => '',
  ])('is refused with a malformed Authorization header (%#)', async (header) => {
    const headers = {Authorization: header(), Cookie: await logIn()}
    expect(await ask('GET /api/runs', {headers})).toMatchObject({status: 401})
  })

  test('is refused with a valid cookie and an invalid token, or with two tokens', async () => {
    const cookie = await logIn()
    expect(await ask('GET /api/runs', {headers: {...bearer('x'), Cookie: cookie}})).toMatchObject({
      status: 401,
    })
    const protocols = ['vitrine', 'token.x']
    expect(await openSocket(protocols, {Cookie: cookie, Origin: home()})).toBe('unauthorized')
    expect(await openSocket(['vitrine', 'token.x', `token.${token}`])).toBe('unauthorized')
    expect(await openSocket(['vitrine', `token.${token}`, 'token.x'])).toBe('unauthorized')
    expect(await openSocket([`token.${token}`])).toBe('unauthorized')
    const twice = `Authorization: Bearer ${token}\r\n`.repeat(2)
    const text = `GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${twice}Connection: close\r\n\r\n`
    expect(await sendRaw(text)).toMatchObject({status: 401})
  })

  test('is refused with a subprotocol outside of a WebSocket upgrade', async () => {
    const headers = {'Sec-WebSocket-Protocol': `vitrine, token.${token}`}
    expect(await ask('GET /api/runs', {headers})).toMatchObject({status: 401})
  })

  test('is refused when the token lacks the right', async () => {
    const [view, ingest] = [deriveToken(token, 'view'), deriveToken(token, 'ingest')]
    const posted = await ask('POST /api/answer', {headers: {...bearer(view), ...json}, body: '{}'})
    expect(posted).toMatchObject({status: 403, code: 'forbidden'})
    expect(await ask('PUT /api/bytes', {headers: bearer(view)})).toMatchObject({status: 403})
    expect(await ask('GET /api/runs', {headers: bearer(ingest)})).toMatchObject({status: 403})
    expect(await openSocket(['vitrine', `token.${ingest}`])).toBe('forbidden')
    const cookie = {Cookie: await logIn(), Origin: home()}
    expect(await ask('PUT /api/bytes', {headers: cookie})).toMatchObject({status: 403})
    expect(reached).toEqual([])
  })

  test.each(['token', 'access_token', 'auth'])(
    'is refused with a token in the URL (%s), which is not logged',
    async (name) => {
      const refused = await ask(`GET /api/runs?${name}=${token}`)
      expect(refused).toMatchObject({status: 400, code: 'token-in-url'})
      expect(refused.text).not.toContain(token)
      const socket = await ask(`GET /ws?${name}=${token}`, {headers: upgrade})
      expect(socket).toMatchObject({status: 400, code: 'token-in-url'})
      expect(await ask(`GET /api/runs?t=${token}`)).toMatchObject({status: 401})
      await logIn()
      expect(log).toEqual(['GET /api/runs', 'GET /ws', 'GET /api/runs', 'GET /login'])
    },
  )

  test('cannot use a modified cookie or one of another port or hub', async () => {
    const cookie = await logIn()
    const other = createSessionCookie({token, port: port + 1, isSecure: false}).open('answer')
    const foreign = createSessionCookie({token: 'other', port, isSecure: false}).open('answer')
    const end = cookie.endsWith('A') ? 'B' : 'A'
    const bad = [
      other,
      other.replace(`vitrine-${port + 1}`, `vitrine-${port}`),
      foreign,
      cookie.slice(0, -1) + end,
      cookie.replace('=answer.', '=ingest.'),
    ]
    for (const Cookie of bad) {
      expect(await ask('GET /api/runs', {headers: {Cookie}})).toMatchObject({status: 401})
    }
    expect(await ask('GET /api/runs', {headers: {Cookie: cookie}})).toMatchObject({status: 200})
    clock += 30 * 24 * 60 * 60 * 1000
    expect(await ask('GET /api/runs', {headers: {Cookie: cookie}})).toMatchObject({status: 401})
  })

  test('cannot log in with a used or expired link', async () => {
    const {search} = new URL(auth.createLoginLink())
    expect(await ask(`GET /login${search}`)).toMatchObject({status: 303})
    const again = await ask(`GET /login${search}`)
    expect(again).toMatchObject({status: 403, code: 'bad-login-code'})
    expect(again.headers.has('set-cookie')).toBe(false)
    const old = new URL(auth.createLoginLink())
    clock += 10 * 60_000
    expect(await ask(`GET /login${old.search}`)).toMatchObject({status: 403})
  })

  test('can try ten tokens a minute without locking out the owner', async () => {
    const count = {401: 0, 429: 0, other: 0}
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        Array.from({length: 50}, (_, index) =>
          ask('GET /api/runs', {headers: bearer(`guess-${round}-${index}`)}),
        ),
      )
      for (const {status} of answers) {
        count[status === 401 || status === 429 ? status : 'other'] += 1
      }
    }
    // One more attempt is allowed every six seconds, and a slow machine may take that long.
    expect(count[401]).toBeGreaterThanOrEqual(10)
    expect(count[401]).toBeLessThan(20)
    expect(count).toMatchObject({429: 1000 - count[401], other: 0})
    const refused = await ask('GET /login?code=guess')
    expect(refused).toMatchObject({status: 429, code: 'too-many-requests'})
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await ask('GET /api/runs', {headers: bearer(token)})).toMatchObject({status: 200})
    expect(await logIn()).toContain(`vitrine-${port}=`)
  })

  test('is rate-limited for requests of any kind', async () => {
    const requests = {perSecond: 0.1, burst: 2}
    auth = createAuth({token, address, port, requests})
    const statuses = [await ask('GET /'), await ask('GET /'), await ask('GET /')]
    expect(statuses.map(({status}) => status)).toEqual([200, 200, 429])
    expect(await openSocket(['vitrine', 'token.wrong'])).toBe('too-many-requests')
  })

  test('does not use up the rate limit of the owner with refused requests', async () => {
    const requests = {perSecond: 0.1, burst: 2}
    auth = createAuth({token, address, port, requests})
    const cookie = await logIn()
    const refused = [
      {headers: {}},
      {headers: bearer('wrong')},
      {headers: {Cookie: cookie, 'Sec-Fetch-Site': 'same-site'}},
      {headers: {...bearer(token), Origin: 'http://evil.test'}},
    ]
    for (const request of refused) {
      expect((await ask('GET /api/runs', request)).status).toBeGreaterThanOrEqual(400)
    }
    const owner = {headers: bearer(token)}
    const browser = {headers: {Cookie: cookie, 'Sec-Fetch-Site': 'same-origin'}}
    for (const status of [200, 200, 429]) {
      expect(await ask('GET /api/runs', owner)).toMatchObject({status})
      expect(await ask('GET /api/runs', browser)).toMatchObject({status})
    }
  })

  test('can try ten cookies a minute', async () => {
    const guess = (count: number) =>
      ask('GET /api/runs', {headers: {Cookie: `vitrine-${port}=answer.9999999999.guess${count}`}})
    const statuses: number[] = []
    for (let count = 0; count < 12; count++) statuses.push((await guess(count)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({length: 10}, () => 401))
    expect(statuses.at(-1)).toBe(429)
  })

  test('is reported as known once it sends a valid token or cookie', async () => {
    const known: (string | undefined)[] = []
    auth = createAuth({token, address, port, onKnown: ({url}) => known.push(url)})
    await ask('GET /api/runs?no')
    await ask('GET /api/runs?wrong', {headers: bearer('wrong')})
    await ask('GET /api/runs?a', {headers: bearer(token)})
    await ask('GET /api/runs?b', {headers: {Cookie: await logIn()}})
    expect(known).toEqual(['/api/runs?a', '/api/runs?b'])
  })
})

describe('a malformed request', () => {
  test.each(['TRACE', 'PATCH', 'PROPFIND', 'OPTIONS'])(
    'is refused for the method %s',
    async (method) => {
      const refused = await ask(`${method} /api/runs`, {headers: bearer(token)})
      expect(refused).toMatchObject({status: 405, code: 'method-not-allowed'})
    },
  )

  test('is refused for an upgrade to a protocol other than WebSocket', async () => {
    const headers = {...bearer(token), ...upgrade, Upgrade: 'h2c'}
    expect(await ask('GET /ws', {headers})).toMatchObject({status: 400, code: 'bad-upgrade'})
    const post = {...bearer(token), ...upgrade}
    expect(await ask('POST /ws', {headers: post})).toMatchObject({code: 'bad-upgrade'})
  })

  test('is refused with a URL that is too long', async () => {
    const refused = await ask(`GET /${'a'.repeat(9000)}`, {headers: bearer(token)})
    expect(refused).toMatchObject({status: 414, code: 'url-too-long'})
  })

  test('is refused with headers that are too large', async () => {
    const refused = await ask('GET /', {headers: {'X-Large': 'a'.repeat(20_000)}})
    expect(refused).toMatchObject({status: 431, code: 'headers-too-large'})
  })

  test('is cut off when its headers do not end, without affecting others', async () => {
    const cutOff = await ask('GET /', {headers: {'X-Large': 'a'.repeat(10_000_000)}})
    // The connection may be closed before the client reads the response.
    expect([0, 431]).toContain(cutOff.status)
    expect(await ask('GET /')).toMatchObject({status: 200})
    expect(log).toEqual(['GET /'])
  })

  test('is cut off when its headers come too slowly', async () => {
    const hasty = {...SERVER_OPTIONS, headersTimeout: 100, connectionsCheckingInterval: 50}
    const other = createServer(hasty).on('clientError', refuseBroken).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const slow = await sendRaw('GET / HTTP/1.1\r\nX-Slow: ', {to: portOf(other)})
    expect(slow).toMatchObject({status: 408, code: 'too-slow'})
    other.close()
  })

  test.each([
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
    'Content-Length: 5\r\nContent-Length: 6\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Content-Length: +5\r\n',
    ' Host: evil.test\r\n',
  ])('is refused when it is ambiguous: %j', async (lines) => {
    const hidden = `GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const text = `PUT /api/bytes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${lines}\r\n0\r\n\r\n${hidden}`
    expect(await sendRaw(text)).toMatchObject({status: 400, code: 'bad-request'})
    expect(reached).toEqual([])
  })

  test('is cut off when a message is too large', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, ['vitrine', `token.${token}`])
    await once(socket, 'message')
    socket.send('a'.repeat(256 * 1024 + 1))
    const [code] = await once(socket, 'close')
    expect(code).toBe(1009)
  })

  test('is refused when it is not HTTP at all', async () => {
    expect(await sendRaw('\u0016\u0003\u0001 hello\r\n\r\n')).toMatchObject({status: 400})
  })
})

describe('a body', () => {
  const type = 'Content-Type: application/json\r\n'
  const put = (lines: string, body: string, to = port): Promise<Answer> =>
    sendRaw(
      `PUT /api/bytes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${type}${lines}\r\n${body}`,
      {to},
    )
  const tooLarge = {status: 413, code: 'body-too-large'}

  test('is refused before it is sent when its Content-Length is too large', async () => {
    const refused = await put('Content-Length: 1001\r\n', '')
    expect(refused).toMatchObject({...tooLarge, isClosed: true})
  })

  test('is refused when it becomes too large, and the response arrives', async () => {
    const chunk = `${(0x10000).toString(16)}\r\n${'a'.repeat(0x10000)}\r\n`
    const refused = await put('Transfer-Encoding: chunked\r\n', chunk.repeat(40) + '0\r\n\r\n')
    expect(refused).toMatchObject(tooLarge)
    expect(await put('Content-Length: 1001\r\n', 'a'.repeat(1001))).toMatchObject(tooLarge)
    expect(reached).toEqual([])
  })

  test('can be sent completely before the client reads the refusal', async () => {
    const size = 12_000_000
    const socket = connect(port, '127.0.0.1')
    const sent = new Promise((resolve) => {
      socket.write(
        `PUT /api/bytes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${type}Content-Length: ${size}\r\n\r\n`,
      )
      socket.write('a'.repeat(size), resolve)
    })
    await sent
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    expect(parseAnswer(text)).toMatchObject(tooLarge)
  })

  test('is read only for a limited time after the refusal', async () => {
    const chunk = `${(0x10000).toString(16)}\r\n${'a'.repeat(0x10000)}\r\n`
    const refused = await put('Transfer-Encoding: chunked\r\n', chunk.repeat(400))
    expect([0, 413]).toContain(refused.status)
    expect(await ask('GET /')).toMatchObject({status: 200})
  })

  test('is refused when it does not arrive in time', async () => {
    const timeouts = {headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50}
    const hasty = {...SERVER_OPTIONS, ...timeouts}
    const other = createServer(hasty).on('clientError', refuseBroken)
    other.on(
      'request',
      createListener(createTestApp(), current, () => {}),
    )
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const refused = await put('Content-Length: 10\r\n', 'slow', portOf(other))
    expect(refused).toMatchObject({status: 408, code: 'too-slow', isClosed: true})
    expect(reached).toEqual([])
    other.close()
  })

  test('is accepted at the maximum size, and the connection stays open', async () => {
    const request = (close: string): string =>
      `PUT /api/bytes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${type}${close}Content-Length: 1000\r\n\r\n${'a'.repeat(1000)}`
    const {text} = await sendRaw(request('') + request('Connection: close\r\n'))
    expect(text.split('HTTP/1.1 200 OK')).toHaveLength(3)
    expect(reached).toEqual(['PUT /api/bytes', 'PUT /api/bytes'])
  })

  test('does not affect other requests when it is aborted', async () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `PUT /api/bytes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${type}Content-Length: 10\r\n\r\nabc`,
    )
    while (log.length === 0) await sleep(1)
    socket.destroy()
    expect(await ask('GET /')).toMatchObject({status: 200})
    expect(reached).toEqual([])
  })

  test('is refused when it is compressed, because its size is unknown', async () => {
    expect(await put('Content-Encoding: gzip\r\nContent-Length: 3\r\n', 'abc')).toMatchObject({
      status: 415,
    })
  })
})

test('sends security headers and no CORS headers with every response', async () => {
  const headers = bearer(token)
  const answers = [
    await ask('GET /'),
    await ask('GET /api/runs', {headers}),
    await ask('HEAD /api/runs', {headers}),
    await ask('GET /api/runs'),
    await ask('GET /', {host: 'evil.test'}),
    await ask('GET /ws', {headers: upgrade}),
    await ask('GET /', {headers: {'X-Large': 'a'.repeat(20_000)}}),
  ]
  expect(answers.map(({status}) => status)).toEqual([200, 200, 200, 401, 421, 401, 431])
  for (const {headers: given, text} of answers) {
    expect(Object.fromEntries(given)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; " +
        "form-action 'self'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(text.toLowerCase()).not.toContain('access-control')
  }
  const stored = answers.map(({headers: given}) => given.get('cache-control'))
  expect(stored).toEqual(Array.from({length: 7}, () => 'no-store'))
})
