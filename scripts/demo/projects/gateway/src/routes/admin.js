import {requireScope} from '../auth.js'

export function addAdminRoutes(app, {users, flags}) {
  app.get('/admin/users', requireScope('admin'), (request, response) => response.json(users.list()))
  app.delete('/admin/users/:id', requireScope('admin'), (request, response) =>
    response.json(users.remove(request.params.id)),
  )
  app.post('/admin/flags/:name', (request, response) =>
    response.json(flags.toggle(request.params.name)),
  )
}
