import {useMemo} from 'react'
import {summarize} from '../../../src/core/events/summarize.ts'
import {countLines} from '../../../src/core/text/text.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import {formatCount} from '../ui/figures.ts'
import {Code} from './code.tsx'
import {ContentBlocks} from './content-blocks.tsx'
import {FailureBox} from './failure.tsx'
import {cutAt} from './lines.ts'
import {readContent} from './read-content.ts'
import {stripNumbers} from './strip-numbers.ts'
import {ShowAll, TextBox} from './text-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const MAX_TEXT = 256_000

/** The lines of a file that were read, with their numbers; pictures as pictures. */
export function ReadBody(call: ToolCall) {
  const {input, output, outputLength, ok, content, onShowAll} = call
  const blocks = useMemo(() => readContent(content), [content])
  const {text, firstLine, rest} = useMemo(() => stripNumbers(cutAt(output, MAX_TEXT)), [output])
  if (ok === false) return <FailureBox {...call} />
  if (blocks?.some(({kind}) => kind === 'picture') === true)
    return <ContentBlocks blocks={blocks} />
  if (output === '')
    return ok === undefined ? null : <p className={styles.note}>No content reported</p>
  return (
    <>
      <Code
        text={text}
        path={summarize('Read', input) || undefined}
        firstLine={firstLine ?? (hasOffset(input) ? undefined : 1)}
        foot={
          outputLength > Math.min(output.length, MAX_TEXT) ? (
            <ShowAll length={outputLength} onShowAll={onShowAll} />
          ) : (
            formatCount(countLines(text), 'line')
          )
        }
      />
      {rest !== '' && <TextBox text={rest} label="Text after the lines" />}
    </>
  )
}

/** Agents count from 0 or from 1, so without printed numbers the line numbers are unknown. */
function hasOffset(input: unknown): boolean {
  return isRecord(input) && ['offset', 'start_line', 'view_range'].some((name) => name in input)
}
