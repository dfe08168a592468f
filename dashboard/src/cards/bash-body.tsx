import {useMemo, useState} from 'react'
import {isRecord} from '../../../src/core/wire/json.ts'
import {formatBytes, formatNumber} from '../ui/figures.ts'
import {AnsiLines, MAX_OUTPUT} from './ansi.tsx'
import box from '../ui/box.module.css'
import {Failure} from './failure.tsx'
import {cutAt, cutHead} from './lines.ts'
import {Box, MoreButton} from '../ui/more.tsx'
import {parseAnsi} from './parse-ansi.ts'
import {escapeControlsMultiline} from './readable.ts'
import {ShowAll} from './text-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const MAX_COMMAND = 8000
const MAX_LINES = 2000
const RUNNING_LINES = 4
const FAILED_LINES = 7
/** The output of a successful command: all if short, else its start and its end. */
const DONE_LINES = 12
const DONE_FIRST = 3
const DONE_LAST = 4

/** A command and its output: the end while it runs and when it failed, both ends when it succeeded. */
export function BashBody(call: ToolCall) {
  const {input, output, ok} = call
  const command = readCommand(input)
  return (
    <>
      {isLong(command) && (
        <pre className={styles.command}>{escapeControlsMultiline(cutAt(command, MAX_COMMAND))}</pre>
      )}
      <Failure {...call} />
      {output === '' ? ok === true && <Facts {...call} /> : <Output {...call} />}
    </>
  )
}

/** The command as one text, for any agent. */
function readCommand(input: unknown): string {
  if (!isRecord(input)) return typeof input === 'string' ? input : ''
  const command = input['command'] ?? input['cmd'] ?? input['commands'] ?? input['script']
  if (typeof command === 'string') return command
  if (!Array.isArray(command)) return ''
  const words = command.filter((word) => typeof word === 'string')
  if (input['commands'] !== undefined) return words.join('\n')
  const [, option, script] = words
  return words.length === 3 && /^-l?c$/.test(option ?? '') ? (script ?? '') : words.join(' ')
}

/** The header of the card already shows a short command. */
function isLong(command: string): boolean {
  return command.length > 60 || command.includes('\n')
}

function Facts({exitCode}: ToolCall) {
  return (
    <p className={styles.note}>No output{exitCode === undefined ? '' : `, exit ${exitCode}`}</p>
  )
}

function Output(call: ToolCall) {
  const {output, outputLength, ok, exitCode, onShowAll} = call
  const [isComplete, setComplete] = useState(false)
  const lines = useMemo(() => parseAnsi(cutHead(output, MAX_OUTPUT)), [output])
  const isCut = outputLength > Math.min(output.length, MAX_OUTPUT)
  const last = ok === undefined ? RUNNING_LINES : ok ? DONE_LAST : FAILED_LINES
  const first = ok === true ? DONE_FIRST : 0
  const isAll = isComplete || lines.length <= (ok === true ? DONE_LINES : last)
  const shown = isAll ? Math.min(lines.length, MAX_LINES) : first + last
  const facts = [exitCode === undefined ? '' : `exit ${exitCode}`, formatBytes(outputLength)]
  return (
    <Box
      isFailed={ok === false}
      left={
        <>
          <span>{describeShown(call, shown, lines.length, first > 0 && !isAll)}</span>
          {!isAll && (
            <MoreButton onClick={() => setComplete(true)}>
              show {lines.length > MAX_LINES ? `last ${formatNumber(MAX_LINES)}` : 'all'}
            </MoreButton>
          )}
          {isCut && <ShowAll length={outputLength} onShowAll={onShowAll} />}
        </>
      }
      right={facts.filter(Boolean).join(' · ')}
    >
      {first > 0 && !isAll && (
        <>
          <AnsiLines lines={lines.slice(0, first)} label="Start of the output" />
          <div className={box.gap} aria-hidden="true">
            ⋯
          </div>
        </>
      )}
      <AnsiLines lines={lines.slice(-(isAll ? shown : last))} />
    </Box>
  )
}

function describeShown(
  {output, outputLength}: ToolCall,
  shown: number,
  total: number,
  isSplit: boolean,
): string {
  const word = shown === 1 ? 'line' : 'lines'
  // The missing part is the end, so these are the first lines.
  const isStart = outputLength > output.length
  if (!isStart && output.length > MAX_OUTPUT) return `Last ${formatNumber(shown)} ${word}`
  const all = isStart ? `the first ${formatNumber(total)}` : formatNumber(total)
  if (shown === total)
    return isStart ? `The first ${formatNumber(total)} ${word}` : `${all} ${word}`
  return `${isSplit ? '' : 'Last '}${formatNumber(shown)} of ${all} lines`
}
