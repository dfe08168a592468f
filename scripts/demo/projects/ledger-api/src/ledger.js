import {randomUUID} from 'node:crypto'

/** Books an amount, in cents, on an account. */
export async function bookEntry(db, {account, amount, currency, memo}) {
  if (!Number.isInteger(amount)) throw new TypeError(`not in cents: ${amount}`)
  await db.insert('entries', {id: randomUUID(), account, amount, currency, memo})
}

/** What is on an account, in cents. */
export async function balanceOf(db, account) {
  const entries = await db.select('entries', {account})
  return entries.reduce((sum, {amount}) => sum + amount, 0)
}
