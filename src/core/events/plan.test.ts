import {expect, test} from 'vitest'
import {readPlan, readPlanStatus} from './plan.ts'

test('a plan is read with any known field names', () => {
  expect(
    readPlan([
      {content: 'One', status: 'in_progress'},
      {description: 'Two', status: 'completed'},
      {text: 'Three', completed: true},
      {step: 'Four', status: 'cancelled'},
      {title: 5, status: 7},
      'no object',
    ]),
  ).toEqual([
    {text: 'One', status: 'in-progress'},
    {text: 'Two', status: 'completed'},
    {text: 'Three', status: 'completed'},
    {text: 'Four', status: 'cancelled'},
    {text: '', status: 'pending'},
  ])
  expect(readPlan('no list')).toBe(undefined)
})

test('a status is read in upper and lower case', () => {
  expect(readPlanStatus('InProgress')).toBe('in-progress')
  expect(readPlanStatus('DONE')).toBe('completed')
  expect(readPlanStatus('someday')).toBe('pending')
})
