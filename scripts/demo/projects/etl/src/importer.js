import {readFileSync} from 'node:fs'

/** Reads a file of payments, all of it at once, and gives them to a sink. */
export function importPayments(path, sink) {
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = head.split(',')
  for (const line of lines) {
    const values = line.split(',')
    sink.add(Object.fromEntries(names.map((name, index) => [name, values[index]])))
  }
  return lines.length
}
