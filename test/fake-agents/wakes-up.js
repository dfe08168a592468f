#!/usr/bin/env node
// Schedules a wake-up after MS, ends its turn, and continues at that time. If SLEEPS is set, it never continues.

import {
  assistantText,
  hang,
  init,
  number,
  print,
  result,
  sleep,
  toolResult,
  toolUse,
} from './lines.js'

const scheduled_for = Date.now() + number('MS', 1500)
const id = 'toolu_1'
print(
  init(),
  toolUse(id, 'ScheduleWakeup', {delaySeconds: 60, reason: 'check the build', prompt: 'Check it'}),
  {...toolResult(id, 'Next wakeup scheduled.'), tool_use_result: {scheduledFor: scheduled_for}},
  assistantText('Later.'),
  result('Later.'),
)
if (process.env['SLEEPS'] === undefined) {
  await sleep(scheduled_for - Date.now())
  const wakeup_source = 'loop_wakeup'
  print(
    {type: 'command_lifecycle', command_uuid: 'c', state: 'started', wakeup_source, scheduled_for},
    init(),
    assistantText('Built.'),
    result('Built.'),
  )
} else hang()
