import {formatCount} from '../core/text/figures.ts'
import type {Problem} from '../history/discover.ts'
import {logToStderr} from './output.ts'

const MAX_SHOWN = 3

/** Names the files and folders of agents that could not be read: their sessions are missing in lists. */
export function reportProblems(problems: readonly Problem[]): void {
  for (const {path, reason} of problems.slice(0, MAX_SHOWN)) logToStderr(`${path}: ${reason}`)
  const rest = problems.length - MAX_SHOWN
  if (rest > 0) logToStderr(`${formatCount(rest, 'more problem')}. List them with: vitrine doctor`)
}
