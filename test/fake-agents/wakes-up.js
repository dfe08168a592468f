#!/usr/bin/env node
// Plans to wake up after MS, ends its turn, and wakes up then; with SLEEPS it does not.

import {calls, hang, init, number, print, result, returns, says, sleep} from './lines.js'

const scheduled_for = Date.now() + number('MS', 1500)
const id = 'toolu_1'
print(
  init(),
  calls(id, 'ScheduleWakeup', {delaySeconds: 60, reason: 'check the build', prompt: 'Check it'}),
  {...returns(id, 'Next wakeup scheduled.'), tool_use_result: {scheduledFor: scheduled_for}},
  says('Later.'),
  result('Later.'),
)
if (process.env['SLEEPS'] === undefined) {
  await sleep(scheduled_for - Date.now())
  const wakeup_source = 'loop_wakeup'
  print(
    {type: 'command_lifecycle', command_uuid: 'c', state: 'started', wakeup_source, scheduled_for},
    init(),
    says('Built.'),
    result('Built.'),
  )
} else hang()
