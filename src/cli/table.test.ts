import {expect, test} from 'vitest'
import {formatTable, type Column} from './table.ts'

const columns: Column<{name: string; text: string; count: number}>[] = [
  {head: 'NAME', cell: ({name}) => name},
  {head: 'TEXT', cell: ({text}) => text, minWidth: 6},
  {head: 'COUNT', cell: ({count}) => String(count), isRight: true},
  {head: 'EXTRA', cell: () => 'x', isOptional: true},
]
const rows = [
  {name: 'one', text: 'a long text that goes on', count: 1},
  {name: 'two', text: '\u001b[31mred', count: 200},
]

test('fits a table into the terminal and escapes control characters', () => {
  expect(formatTable(rows, columns, 100)).toBe(
    `NAME  TEXT                      COUNT  EXTRA
one   a long text that goes on      1  x
two   \\x1b[31mred                 200  x
`,
  )
  expect(formatTable(rows, columns, 24)).toBe(
    `NAME  TEXT         COUNT
one   a long tex…      1
two   \\x1b[31mred    200
`,
  )
})

test('prints a table to a pipe with tabs and without cuts', () => {
  expect(formatTable(rows.slice(0, 1), columns, undefined)).toBe(
    'NAME\tTEXT\tCOUNT\tEXTRA\none\ta long text that goes on\t1\tx\n',
  )
})
