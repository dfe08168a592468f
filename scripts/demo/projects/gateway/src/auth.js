/** Lets a request through only when it carries a token with a scope. */
export const requireScope = (scope) => (request, response, next) => {
  if (request.token?.scopes.includes(scope)) return next()
  return response.writeHead(403).end()
}
