import {useLayoutEffect, useMemo, useRef, useState} from 'react'
import {classNames} from '../ui/class-names.ts'
import {formatBytes} from '../ui/figures.ts'
import {isPlain} from './is-plain.ts'
import {createLazy, useLazy} from '../ui/lazy.ts'
import {cutAt} from './lines.ts'
import styles from './markdown.module.css'
import {MoreButton} from '../ui/more.tsx'
import {escapeControlsMultiline} from './readable.ts'
import {markScrollers} from './scroll.tsx'

/** The initial and the maximum length. */
const FIRST = {length: 8000, lines: 120}
const MAX_LENGTH = {length: 64_000, lines: 1000}

const PLAIN = classNames(styles.markdown, styles.isPlain)

const renderer = createLazy(async () => (await import('./render-markdown.ts')).renderMarkdown)

/** Agent text rendered as Markdown: plain until the renderer is loaded, and if rendering fails. */
export function Markdown({text}: {text: string}) {
  return isPlain(text) ? (
    <div className={PLAIN}>{escapeControlsMultiline(text)}</div>
  ) : (
    <Marked text={text} />
  )
}

function Marked({text}: {text: string}) {
  const [isExpanded, setExpanded] = useState(false)
  const render = useLazy(renderer)
  const limit = isExpanded ? MAX_LENGTH : FIRST
  // Cut again, because escaped characters make the text longer.
  const shown = useMemo(
    () => cutText(escapeControlsMultiline(cutText(text, limit)), limit),
    [text, limit],
  )
  return (
    <>
      {render === undefined ? (
        <div className={PLAIN}>{shown}</div>
      ) : (
        <Rendered text={shown} render={render} />
      )}
      {cutText(text, limit).length < text.length && (
        <p className={styles.truncation}>
          {isExpanded ? (
            `Showing the first part of ${formatBytes(text.length)}.`
          ) : (
            <MoreButton onClick={() => setExpanded(true)}>
              show more ({formatBytes(text.length)})
            </MoreButton>
          )}
        </p>
      )}
    </>
  )
}

function Rendered({text, render}: {text: string; render: (text: string) => DocumentFragment}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    try {
      element.replaceChildren(render(text))
      element.className = styles.markdown ?? ''
      markScrollers(element, 'pre, div')
    } catch {
      // Text that cannot be parsed is shown plain.
      element.replaceChildren(text)
      element.className = PLAIN
    }
  }, [text, render])
  return <div className={styles.markdown} ref={box} />
}

function cutText(text: string, {length, lines}: typeof FIRST): string {
  const start = cutAt(text, length)
  let end = -1
  for (let count = 0; count < lines; count++) {
    end = start.indexOf('\n', end + 1)
    if (end === -1) return start
  }
  return start.slice(0, end)
}
