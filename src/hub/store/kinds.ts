import type {Database} from './database.ts'

/** The types of messages by their numbers. */
export interface Kinds {
  toNumber(name: string): number
  /** What was learnt in a batch that was not written. */
  forget(): void
}

/** Numbers the types of messages, which are few and come with every message. */
export function createKinds(database: Database): Kinds {
  const numbers = new Map<string, number>()
  const add = database.prepare('INSERT INTO kinds (name) VALUES (?) ON CONFLICT DO NOTHING')
  const get = database.prepare('SELECT no FROM kinds WHERE name = ?')
  return {
    toNumber(name) {
      const known = numbers.get(name)
      if (known !== undefined) return known
      add.run(name)
      const no = Number(get.get(name)?.['no'])
      numbers.set(name, no)
      return no
    },
    forget: () => numbers.clear(),
  }
}
