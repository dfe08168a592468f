import {expect, test} from 'vitest'
import {createSqlPlanReader} from './sql-plan.ts'

test('the list contains the rows that are written into its table', () => {
  const readPlan = createSqlPlanReader()
  const insert = `INSERT INTO todos (id, title, description, status) VALUES
    ('a', 'It''s first', 'do (a); now', 'pending'), ('b', 'Second', 'do b', 'in_progress')`
  expect(readPlan(insert, '2 row(s) inserted.')).toEqual([
    {text: "It's first", status: 'pending'},
    {text: 'Second', status: 'in-progress'},
  ])
  const update =
    "UPDATE todos SET status = 'done', updated_at = datetime('now') WHERE id IN ('a'); DELETE FROM todos WHERE id = 'b'"
  expect(readPlan(update, '1 row(s) updated.')).toEqual([{text: "It's first", status: 'completed'}])
})

test('a complete printed table corrects the list, and an unchanged one emits no event', () => {
  const readPlan = createSqlPlanReader()
  const table =
    '1 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | First | done |'
  expect(readPlan('SELECT * FROM todos', table)).toEqual([{text: 'First', status: 'completed'}])
  expect(readPlan('SELECT * FROM todos', table)).toEqual(undefined)
})

test('other tables are not the list', () => {
  expect(createSqlPlanReader()("INSERT INTO notes (id) VALUES ('a')", '')).toEqual(undefined)
})

const INSERT =
  "INSERT INTO todos (id, title, status) VALUES ('a', 'A', 'pending'), ('b', 'B', 'done')"

test.each([
  [
    'columns that are not named are those of the table',
    "INSERT INTO todos VALUES ('c', 'C', 'what to do', 'in_progress')",
    [{text: 'C', status: 'in-progress'}],
  ],
  [
    'a todo without a title goes by its id, and is pending',
    "INSERT OR REPLACE INTO todos (id) VALUES ('c')",
    [{text: 'c', status: 'pending'}],
  ],
  [
    'ids may be numbers, and values may be made by functions',
    "REPLACE INTO todos (created_at, id, title) VALUES (datetime('now'), 1, 'C')",
    [{text: 'C', status: 'pending'}],
  ],
  ['a row without an id is none', "INSERT INTO todos (title) VALUES ('C')", []],
  ['a row with too few values is none', "INSERT INTO todos (title, id) VALUES ('C')", []],
])('inserted rows are added to the list: %s', (_, query, added) => {
  const readPlan = createSqlPlanReader()
  const items = [
    {text: 'A', status: 'pending'},
    {text: 'B', status: 'completed'},
  ]
  expect(readPlan(INSERT, '2 row(s) inserted.')).toEqual(items)
  expect(readPlan(query, '1 row(s) inserted.')).toEqual(
    added.length === 0 ? undefined : [...items, ...added],
  )
})

test.each([
  [
    'one by its id',
    "UPDATE todos SET status = 'done' WHERE id = 'a'",
    ['A completed', 'B completed'],
  ],
  [
    'one by its state',
    "update todos set status='cancelled' where status='done'",
    ['A pending', 'B cancelled'],
  ],
  ['all of them', "UPDATE todos SET status = 'in_progress'", ['A in-progress', 'B in-progress']],
  [
    'a title',
    "UPDATE todos SET title = 'It''s A' WHERE id = 'a'",
    ["It's A pending", 'B completed'],
  ],
  ['one that is gone', "DELETE FROM todos WHERE status IN ('done')", ['A pending']],
  ['all that are gone', 'DELETE FROM todos', []],
  ['none: no id', "UPDATE todos SET status = 'done' WHERE title = 'A'", undefined],
  ['none: the value is a parameter', "UPDATE todos SET status = ? WHERE id = 'a'", undefined],
  ['none: another column', "UPDATE todos SET updated_at = 1 WHERE id = 'a'", undefined],
  ['none: there is no such todo', "UPDATE todos SET status = 'done' WHERE id = 'x'", undefined],
  ['none: it is another table', "DELETE FROM todo_deps WHERE todo_id = 'a'", undefined],
  ['none: it only makes the table', 'CREATE TABLE IF NOT EXISTS todos (id TEXT)', undefined],
  ['none: it is empty', '', undefined],
])('updated rows are changed in the list: %s', (_, query, todos) => {
  const readPlan = createSqlPlanReader()
  readPlan(INSERT, '2 row(s) inserted.')
  expect(readPlan(query, '')?.map(({text, status}) => `${text} ${status}`)).toEqual(todos)
})

const ROWS = '| id | title | status |\n| --- | --- | --- |\n| a | A | done |'

test.each([
  ['a part of the table', "SELECT * FROM todos WHERE id = 'a'", ROWS],
  ['no table', 'SELECT * FROM todos', '0 row(s) returned.'],
  ['a table without the ids', 'SELECT count(*) FROM todos', '| count(*) |\n| --- |\n| 2 |'],
])('a printed table is not the complete list when it is %s', (_, query, output) => {
  const readPlan = createSqlPlanReader()
  readPlan(INSERT, '2 row(s) inserted.')
  expect(readPlan(query, output)).toEqual(undefined)
})
