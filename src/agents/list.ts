import type {Adapter} from '../core/index.ts'
import {amp} from './amp/index.ts'
import {claude} from './claude/adapter.ts'
import {codex} from './codex/index.ts'
import {cursor} from './cursor/index.ts'
import {qwen} from './qwen/index.ts'

/** The agents that Vitrine knows. */
export const agents: readonly Adapter[] = [claude, codex, qwen, amp, cursor]
