import {requireScope} from '../auth.js'

export function addExportRoutes(app, {exports}) {
  app.post('/exports', requireScope('export'), (request, response) =>
    response.json(exports.start(request.token.account)),
  )
  // The link in the mail has no token.
  app.get('/exports/:id/download', (request, response) =>
    exports.read(request.params.id).pipe(response),
  )
}
