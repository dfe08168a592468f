import {agentsTarget} from './agents-target.js'
import {claudeTarget} from './claude-target.js'
import {hubTarget} from './hub-target.js'
import {ingestTarget} from './ingest-target.js'
import {messagesTarget} from './messages-target.js'
import {recordingsTarget} from './recordings-target.js'

/** All code that reads input from outside. @type {import('./campaign.js').Target[]} */
export const targets = [
  agentsTarget,
  claudeTarget,
  messagesTarget,
  hubTarget,
  ingestTarget,
  recordingsTarget,
]
