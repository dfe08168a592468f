/**
 * Formats events as text for a terminal: one line for each step, with or without colour. Control characters of the agent
 * are escaped.
 *
 * @module
 */
export {colored, plain, wantsColor, type Colors, type Environment, type Role} from './colors.ts'
export {createFormatter, type Formatter, type FormatterOptions} from './format.ts'
export {createActionsFormatter, type ActionsFormatter, type ActionsOptions} from './github.ts'
export type {LineStyle, ScreenStyle} from './layout.ts'
export type {SessionFacts} from './line-maker.ts'
export {formatHeartbeat, formatStderr} from './log-lines.ts'
export {
  formatAnswer,
  formatPermission,
  type PermissionAnswer,
  type PermissionQuestion,
} from './permission-box.ts'
export {formatQuestion, type ShownQuestion} from './question-box.ts'
export {formatState, type ListedRun} from './format-state.ts'
export {formatStatus, type RunStatus} from './status-line.ts'
export {formatStepSummary} from './step-summary.ts'
export {formatStuck, type StuckReport} from './stuck.ts'
export {formatSummary, formatSummaryLine, type SummaryOptions} from './summary.ts'
export type {ToolTally} from './tool-tally.ts'
export {ascii, unicode, wantsUnicode, type Symbols} from './symbols.ts'
