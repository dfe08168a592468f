import type {IncomingMessage, ServerResponse} from 'node:http'
import {BUILD_IT, isFromOtherSite, isPrefetch, sendContinuePage, sendPage} from './page.ts'
import type {RouteOptions} from './route-options.ts'
import {securityHeaders} from './security-headers.ts'

/** Creates the routes that a browser navigates to: the login link and the dashboard. */
export function createBrowserRoutes({
  auth,
  dashboard,
  onRefused,
}: Pick<RouteOptions, 'auth' | 'dashboard' | 'onRefused'>) {
  return {
    logIn(request: IncomingMessage, response: ServerResponse, code: string): void {
      // Scanners and link previews must not use up the code.
      if (request.method === 'HEAD' || isPrefetch(request)) {
        return sendPage(response, 503, 'Open this login link in a browser')
      }
      const login = auth.logIn(request, code)
      if (login.type === 'refuse') {
        onRefused?.()
        return sendPage(response, login.status, login.message)
      }
      const cookie = {'set-cookie': login.setCookie}
      if (isFromOtherSite(request)) return sendContinuePage(response, '/', cookie)
      response.writeHead(303, {...securityHeaders('api'), ...cookie, location: '/'}).end()
    },
    sendDashboard(request: IncomingMessage, response: ServerResponse, path: string): void {
      const permission = auth.authorize(request, 'view')
      if (permission.type === 'refuse') {
        if (isFromOtherSite(request)) return sendContinuePage(response, path)
        return sendPage(response, permission.status, 'Log in')
      }
      if (dashboard.sendPage(request, response)) return
      sendPage(response, 200, 'The dashboard is not built', BUILD_IT)
    },
  }
}
