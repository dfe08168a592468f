import type {RequestListener} from 'node:http'
import {getRequestListener, type HttpBindings} from '@hono/node-server'
import {Hono, type Context, type MiddlewareHandler} from 'hono'
import type {Auth} from '../auth/auth.ts'
import type {Rights, Role} from '../auth/tokens.ts'
import {Refusal} from './refusal.ts'
import {SECURITY_HEADERS} from './security-headers.ts'

/** The request and response of Node, and the rights of the client. */
export interface AppEnv {
  Bindings: HttpBindings
  Variables: {rights: Rights}
}

export type Call = Context<AppEnv>

export interface AppEvents {
  onRefused(): void
  onFailed(error: Error, call: Call): void
}

/** Creates an app whose responses have the security headers and whose handlers may throw a `Refusal`. */
export function createApp({onRefused, onFailed}: AppEvents): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(async (call, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) call.header(name, value)
    await next()
  })
  app.onError((error, call) => {
    const refusal = error instanceof Refusal ? error : FAILURE
    if (refusal === error) onRefused()
    else onFailed(error, call)
    return call.body(refusal.body, refusal.status, refusal.headers)
  })
  return app
}

/** Creates the middleware that rejects clients without a right; `null` for a public route. */
export function requireRight(auth: Auth, right: Role | null): MiddlewareHandler<AppEnv> {
  return async (call, next) => {
    if (right !== null) call.set('rights', auth.authorize(call.env.incoming, right))
    await next()
  }
}

/** Creates the listener of a server: every request passes the first check of auth before it reaches the app. */
export function createListener(
  app: Hono<AppEnv>,
  auth: Auth,
  onRefused: () => void,
): RequestListener {
  const listener = getRequestListener(app.fetch, {overrideGlobalObjects: false})
  return (request, response) => {
    try {
      auth.checkRequest(request)
    } catch (error) {
      onRefused()
      const {status, headers, body} = error as Refusal
      // Node reads the rest of the request.
      response.writeHead(status, headers).end(body)
      return
    }
    void listener(request, response)
  }
}

const FAILURE = new Refusal(500, 'internal', 'Internal error. See the log of the hub.')
