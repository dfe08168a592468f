#!/usr/bin/env node
// Prints a result while a background task runs, and a second one when the task ends after MS.

import {
  assistantText,
  init,
  number,
  print,
  result,
  sleep,
  system,
  toolResult,
  toolUse,
} from './lines.js'

const task = {task_id: 'bmd362yto', run_id: '0mwh88v3d-c88d782e'}
const description = 'Background job'
const tool_use_id = 'toolu_1'

print(
  init(),
  toolUse(tool_use_id, 'Bash', {
    command: 'sleep 1; echo finished',
    description,
    run_in_background: true,
  }),
  system('background_tasks_changed', {tasks: [{...task, task_type: 'local_bash', description}]}),
  system('task_started', {
    ...task,
    tool_use_id,
    description,
    is_backgrounded: true,
    task_type: 'local_bash',
  }),
  toolResult(tool_use_id, `Command running in background with ID: ${task.task_id}.`),
  assistantText('Started in the background.'),
  result('Started in the background.', {total_cost_usd: 0.025}),
)
await sleep(number('MS', 1500))
print(
  system('task_updated', {...task, patch: {status: 'completed', end_time: 1_794_710_421_336}}),
  system('task_notification', {
    ...task,
    tool_use_id,
    status: 'completed',
    output_file: `/tmp/${task.task_id}.output`,
    summary: `Background command "${description}" completed (exit code 0)`,
  }),
  system('background_tasks_changed', {tasks: []}),
  init(),
  assistantText('The job finished.'),
  result('The job finished.', {total_cost_usd: 0.04}),
)
