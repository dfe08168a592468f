import {expect, test} from 'vitest'
import {createSqlPlan} from './sql-plan.ts'

test('The list follows what is written into its table', () => {
  const plan = createSqlPlan()
  const insert = `INSERT INTO todos (id, title, description, status) VALUES
    ('a', 'It''s first', 'do (a); now', 'pending'), ('b', 'Second', 'do b', 'in_progress')`
  expect(plan.read(insert, '2 row(s) inserted.')).toEqual([
    {text: "It's first", status: 'pending'},
    {text: 'Second', status: 'in-progress'},
  ])
  const update =
    "UPDATE todos SET status = 'done', updated_at = datetime('now') WHERE id IN ('a'); DELETE FROM todos WHERE id = 'b'"
  expect(plan.read(update, '1 row(s) updated.')).toEqual([
    {text: "It's first", status: 'completed'},
  ])
})

test('A table that is printed whole corrects the list, and one that says nothing new is silent', () => {
  const plan = createSqlPlan()
  const table =
    '1 row(s) returned:\n\n| id | title | status |\n| --- | --- | --- |\n| a | First | done |'
  expect(plan.read('SELECT * FROM todos', table)).toEqual([{text: 'First', status: 'completed'}])
  expect(plan.read('SELECT * FROM todos', table)).toEqual(undefined)
})

test('Other tables are not the list', () => {
  expect(createSqlPlan().read("INSERT INTO notes (id) VALUES ('a')", '')).toEqual(undefined)
})
