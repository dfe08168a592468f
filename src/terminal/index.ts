/**
 * Events as text for a terminal: one line for each step, in colour or not, with nothing of the agent's
 * obeyed.
 *
 * @module
 */
export {colored, plain, wantsColor, type Colors, type Environment, type Role} from './colors.ts'
export {createFormatter, type Formatter, type FormatterOptions} from './format.ts'
export {ascii, unicode, wantsUnicode, type Symbols} from './symbols.ts'
