import {requireScope} from '../auth.js'

export function addBillingRoutes(app, {invoices}) {
  app.get('/billing/invoices', requireScope('billing:read'), (request, response) =>
    response.json(invoices.of(request.token.account)),
  )
  app.post('/billing/invoices/:id/pay', requireScope('billing:write'), (request, response) =>
    response.json(invoices.pay(request.params.id)),
  )
}
