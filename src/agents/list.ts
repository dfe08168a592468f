import type {Adapter} from '../core/index.ts'
import {amp} from './amp/index.ts'
import {claude} from './claude/adapter.ts'
import {cline} from './cline/index.ts'
import {codex} from './codex/index.ts'
import {copilot} from './copilot/index.ts'
import {cursor} from './cursor/index.ts'
import {gemini} from './gemini/index.ts'
import {kimi} from './kimi/index.ts'
import {opencode} from './opencode/index.ts'
import {pi} from './pi/index.ts'
import {qwen} from './qwen/index.ts'

/** The agents that Vitrine knows. */
export const agents: readonly Adapter[] = [
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
  amp,
  cursor,
  cline,
  kimi,
  pi,
]
