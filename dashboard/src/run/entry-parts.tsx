import {lazy, Suspense} from 'react'
import {formatAnswers, readQuestions} from '../../../src/core/events/question.ts'
import {summarize} from '../../../src/core/events/summarize.ts'
import {shortenPath} from '../../../src/core/text/shorten-path.ts'
import {firstLine, escapeControls} from '../../../src/core/text/text.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import {NOTICE_WORDS} from '../../../src/core/words/status-words.ts'
import {nameTool} from '../../../src/core/words/tool-words.ts'
import box from '../ui/box.module.css'
import {Counts} from '../cards/counts.tsx'
import {Markdown} from '../cards/markdown.tsx'
import {escapeControlsMultiline} from '../cards/readable.ts'
import {Todo} from '../cards/todo.tsx'
import type {Entry, RequestEntry, TextEntry, ToolEntry, TurnEntry} from '../model/entry.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost, formatCount, formatElapsed, formatTime, formatTokens} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {LiveDot} from '../ui/live-dot.tsx'
import {NOTICE_STYLES} from '../ui/notice-styles.ts'
import {describeVerdict} from '../ui/state.ts'
import {Tag} from '../ui/tag.tsx'
import {useNow} from '../shell/now.ts'
import {linesOf} from './record-cache.ts'
import {firstThought} from './describe-entry.ts'
import styles from './entry-parts.module.css'
import {LEFT_OUT, useBody, useRun} from './run-context.ts'

const ToolBody = lazy(async () => {
  const {ToolBody: component} = await import('../cards/tool-body.tsx')
  return {default: component}
})

/** The first line of an entry. */
export function EntryHead({entry, isOpen}: {entry: Entry; isOpen: boolean}) {
  switch (entry.type) {
    case 'session': {
      const {agent, version, model, permissionMode, mcpServers} = entry
      const servers = formatCount(mcpServers.length, 'MCP server')
      const facts = [
        `${agent}${version === undefined ? '' : ` ${version}`}`,
        model,
        permissionMode === undefined ? undefined : `permission mode ${permissionMode}`,
        mcpServers.length === 0 ? undefined : `${servers}: ${mcpServers.slice(0, 6).join(', ')}`,
      ]
      const known = facts.filter((fact) => fact !== undefined && fact !== '')
      return (
        <span className={styles.notice}>Session started · {escapeControls(known.join(' · '))}</span>
      )
    }
    case 'text':
      return entry.isThinking ? <Thinking entry={entry} isOpen={isOpen} /> : null
    case 'tool':
      return <ToolHead entry={entry} />
    case 'plan':
      return (
        <>
          <b>Plan</b>
          <span className={styles.fact}>{entry.items.length} steps</span>
        </>
      )
    case 'notice':
      return (
        <span className={styles.notice}>
          <Tag tone={NOTICE_STYLES[entry.kind].tone}>{NOTICE_WORDS[entry.kind]}</Tag>
          <span>{escapeControls(entry.text)}</span>
        </span>
      )
    case 'request':
      return <RequestHead entry={entry} />
    case 'task':
      return (
        <>
          <b>Background</b>
          <code className={styles.summary}>{escapeControls(entry.description)}</code>
          {entry.ok === false && <Failed word="failed" />}
        </>
      )
    case 'odd':
      return (
        <span className={styles.notice}>
          <Tag tone="drift">{entry.isMalformed ? 'Malformed line' : 'Unknown record'}</Tag>
          <span>
            {escapeControls(entry.reason)} ·{' '}
            {entry.isMalformed ? 'kept as received' : 'kept, unknown type'}
          </span>
        </span>
      )
    case 'end': {
      const {verdict, reason} = entry.ending
      const {tone, word} = describeVerdict(verdict)
      return (
        <span className={styles.notice}>
          <Tag tone={tone}>{word}</Tag>
          <span>{escapeControls(reason)}</span>
        </span>
      )
    }
    default:
      return null
  }
}

/** The end of the first line: duration and size. */
export function EntryFacts({entry}: {entry: Entry}) {
  switch (entry.type) {
    case 'tool':
      return <ToolFacts entry={entry} />
    case 'text':
      return entry.isThinking ? (
        <>
          Thought {formatTokens(Math.round(entry.length / 4))} tokens
          {entry.endAt - entry.at > 900 && ` · ${formatTime(entry.endAt - entry.at)}`}
        </>
      ) : null
    case 'notice':
      return entry.isWait ? <Waited since={entry.at} until={entry.endAt} /> : null
    case 'request':
      return <Waited since={entry.at} until={entry.endAt} />
    case 'task':
      return entry.endAt === undefined ? (
        <Elapsed since={entry.at} suffix=", running" />
      ) : (
        <>{formatTime(entry.endAt - entry.at)}</>
      )
    case 'odd':
      return <>line {entry.line}</>
    default:
      return null
  }
}

/** The content below the first line. */
export function EntryBody({entry, isOpen}: {entry: Entry; isOpen: boolean}) {
  switch (entry.type) {
    case 'prompt':
      return <div className={styles.prompt}>{escapeControlsMultiline(entry.text)}</div>
    case 'text':
      if (entry.isThinking && !isOpen) return null
      return <MessageText entry={entry} />
    case 'plan':
      return isOpen ? <Todo items={entry.items} /> : null
    case 'turn':
      return <TurnBox entry={entry} />
    case 'odd':
      return isOpen ? (
        <pre className={styles.unknown}>{escapeControlsMultiline(entry.raw)}</pre>
      ) : null
    case 'tool':
      return isOpen ? <ToolCard entry={entry} /> : null
    default:
      return null
  }
}

function Thinking({entry, isOpen}: {entry: TextEntry; isOpen: boolean}) {
  if (entry.length === 0)
    return <span className={styles.thought}>Thinking, hidden by the provider</span>
  return isOpen ? (
    <b className={styles.thought}>Thinking</b>
  ) : (
    <span className={classNames(styles.thought, styles.summary)}>{firstThought(entry.text)}</span>
  )
}

function MessageText({entry}: {entry: TextEntry}) {
  const body = useBody(entry, entry.isCut)
  const text = body?.text ?? entry.text
  return (
    <div className={entry.isThinking ? styles.thought : styles.text}>
      <Markdown text={text} />
      {entry.isCut && text.length < entry.length && (
        <p className={common.muted}>
          {text.length.toLocaleString('en')} of {entry.length.toLocaleString('en')} characters
        </p>
      )}
    </div>
  )
}

function ToolHead({entry}: {entry: ToolEntry}) {
  const {tool, ok, isDenied, isUnfinished, exitCode, isBackground, action} = entry
  const isRunning = entry.endAt === undefined
  const words = escapeControls(describeInput(entry, useRun().cwd))
  return (
    <>
      <b>{nameTool(entry)}</b>
      {words !== '' &&
        (tool === 'Task' ? (
          <span className={styles.summary}>{words}</span>
        ) : (
          <code className={styles.summary}>{words}</code>
        ))}
      {(entry.added > 0 || entry.removed > 0) && (
        <Counts added={entry.added} removed={entry.removed} />
      )}
      {action === 'created' && <span className={styles.fact}>new file</span>}
      {isBackground && <Tag tone="idle">in background</Tag>}
      {isRunning && !isBackground && (
        <Tag tone="idle">
          <LiveDot isSmall />
          running
        </Tag>
      )}
      {isUnfinished && <Tag tone="idle">unfinished</Tag>}
      {isDenied && <Failed word="denied" />}
      {ok === false && !isDenied && !isUnfinished && (
        <Failed word={exitCode === undefined ? failureOf(entry) : `exit ${exitCode}`} />
      )}
    </>
  )
}

function failureOf({error, tool}: ToolEntry): string {
  const first = error === undefined || tool === 'Bash' ? '' : firstLine(error).slice(0, 80)
  return first === '' ? 'failed' : escapeControls(first)
}

function Failed({word}: {word: string}) {
  return (
    <span className={common.failed}>
      <Icon name="fail" size={14} />
      <span className={common.ellipsis}>{word}</span>
    </span>
  )
}

function ToolFacts({entry}: {entry: ToolEntry}) {
  const {tool, endAt, durationMs, isAtMost, toolCount, at} = entry
  return (
    <>
      {tool === 'Task' && toolCount > 0 && `${formatCount(toolCount, 'tool')} · `}
      {endAt === undefined ? (
        <Elapsed since={at} />
      ) : (
        <span className={(durationMs ?? 0) >= SLOW_MS ? styles.isSlow : undefined}>
          {isAtMost && '≤ '}
          {formatTime(durationMs ?? 0)}
        </span>
      )}
    </>
  )
}

const SLOW_MS = 60_000

function ToolCard({entry}: {entry: ToolEntry}) {
  const {tool, name, ok, exitCode, tail, children, plan} = entry
  const {source, until, actions} = useRun()
  const isNeeded =
    entry.isCut || (entry.endAt !== undefined && entry.output === '' && entry.outputLength > 0)
  const body = useBody(entry, isNeeded)
  const isLeftOut =
    body?.isComplete === false && linesOf(entry).some((line) => source.isLeftOut?.(line) === true)
  if (plan !== undefined) return <Todo items={plan} />
  // The entries of a sub-agent follow and end with its report.
  if (tool === 'Task' && children.length > 0) return null
  const output = body?.output ?? (entry.output || tail)
  // An empty space would suggest that there was nothing.
  if (isLeftOut && output === '') return <p className={common.muted}>{LEFT_OUT}</p>
  return (
    <Suspense fallback={<div className={classNames(box.box, box.isPending)} />}>
      <ToolBody
        tool={tool}
        name={name}
        input={body?.input ?? entry.input ?? {}}
        output={until !== undefined && entry.endAt === undefined ? tail : output}
        outputLength={Math.max(entry.outputLength, output.length)}
        ok={ok}
        exitCode={exitCode}
        error={body?.error ?? entry.error}
        onShowAll={() => actions.showRecord(entry.lastLine)}
      />
    </Suspense>
  )
}

function RequestHead({entry}: {entry: RequestEntry}) {
  const {name, input, endAt, allow, who, rule, answers} = entry
  const questions = readQuestions(entry)
  const verbs = questions.length > 0 ? ['Answered', 'Not answered'] : ['Allowed', 'Denied']
  const [tone, word] =
    endAt === undefined
      ? (['wait', 'Asked you'] as const)
      : allow === undefined
        ? (['idle', 'Asked'] as const)
        : allow
          ? (['ok', `${verbs[0]} ${WHO[who ?? ''] ?? ''}`] as const)
          : (['bad', `${verbs[1]} ${WHO[who ?? ''] ?? ''}`] as const)
  const summary =
    questions.length > 0
      ? answers === undefined
        ? questions.map(({text}) => text).join(' ')
        : formatAnswers(questions, answers)
      : isRecord(input)
        ? summarize('Bash', input) || summarize('Edit', input) || summarize('Other', input)
        : ''
  return (
    <span className={styles.notice}>
      <Tag tone={tone}>{word.trim()}</Tag>
      <code className={common.ellipsis}>{escapeControls(summary || name)}</code>
      {rule !== undefined && (
        <span className={common.muted}>{escapeControls(rule)}, for this run</span>
      )}
    </span>
  )
}

const WHO: Readonly<Record<string, string>> = {
  you: 'by you in the terminal',
  dashboard: 'by you',
  rule: 'by rule',
  mode: 'by the mode',
  timeout: 'by timeout',
}

function TurnBox({entry}: {entry: TurnEntry}) {
  const {turn, ok, durationMs, costUsd, reason} = entry
  const body = useBody(entry, entry.isCut)
  const text = body?.text ?? entry.text
  return (
    <div className={classNames(styles.turn, !ok && styles.isFailed)}>
      {text !== '' && (
        <div className={styles.text}>
          <Markdown text={text} />
        </div>
      )}
      {reason !== undefined && <p className={common.failed}>{escapeControls(reason)}</p>}
      <dl>
        <div>
          <dt>Result {turn}</dt>
          <dd>{durationMs === undefined ? 'ended' : formatTime(durationMs)}</dd>
        </div>
        {costUsd !== undefined && (
          <div>
            <dt>Cost</dt>
            <dd>{formatCost(costUsd)}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

function Waited({since, until}: {since: number; until: number | undefined}) {
  return until === undefined ? (
    <span className={styles.isSlow}>
      <Elapsed since={since} />
    </span>
  ) : (
    <>waited {formatTime(until - since)}</>
  )
}

function Elapsed({since, suffix = ''}: {since: number; suffix?: string}) {
  const now = useNow()
  const {until} = useRun()
  return (
    <>
      {formatElapsed((until ?? now) - since)}
      {suffix}
    </>
  )
}

/** The summary of an input: a command as given, paths relative to the working directory. */
function describeInput({tool, summary, input}: ToolEntry, cwd: string | undefined): string {
  if (tool === 'Bash' || cwd === undefined || !summary.startsWith(cwd)) return summary
  if (!isRecord(input)) return shortenPath(summary, cwd)
  // The summary was cut before its base folder was known.
  const near = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? shortenPath(value, cwd) : value,
  ])
  return summarize(tool, Object.fromEntries(near)) || shortenPath(summary, cwd)
}
