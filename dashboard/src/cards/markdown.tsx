import {useLayoutEffect, useMemo, useRef, useState} from 'react'
import {formatBytes} from '../ui/figures.ts'
import {isPlain} from './is-plain.ts'
import {createLazy, useLazy} from '../ui/lazy.ts'
import {cutAt} from './lines.ts'
import {makeReadable} from './readable.ts'
import {markScrollers} from './scroll.tsx'
import './cards.css'
import './markdown.css'

/** The initial and the maximum length. */
const FIRST = {length: 8000, lines: 120}
const MOST = {length: 64_000, lines: 1000}

const renderer = createLazy(async () => (await import('./render-markdown.ts')).renderMarkdown)

/** Agent text rendered as Markdown: plain until the renderer is loaded, and if rendering fails. */
export function Markdown({text}: {text: string}) {
  return isPlain(text) ? (
    <div className="md plain">{makeReadable(text)}</div>
  ) : (
    <Marked text={text} />
  )
}

function Marked({text}: {text: string}) {
  const [isWhole, setWhole] = useState(false)
  const render = useLazy(renderer)
  const limit = isWhole ? MOST : FIRST
  // Cut again, because escaped characters make the text longer.
  const shown = useMemo(() => cutText(makeReadable(cutText(text, limit)), limit), [text, limit])
  return (
    <>
      {render === undefined ? (
        <div className="md plain">{shown}</div>
      ) : (
        <Rendered text={shown} render={render} />
      )}
      {isCut(text, FIRST) && (!isWhole || isCut(text, MOST)) && (
        <p className="md-cut">
          {isWhole ? (
            `This is its beginning; it has ${formatBytes(text.length)}.`
          ) : (
            <button type="button" className="more-btn" onClick={() => setWhole(true)}>
              show more ({formatBytes(text.length)})
            </button>
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
      element.classList.remove('plain')
      markScrollers(element, 'pre, div')
    } catch {
      // Text that cannot be parsed is shown plain.
      element.replaceChildren(text)
      element.classList.add('plain')
    }
  }, [text, render])
  return <div className="md" ref={box} />
}

interface Limit {
  length: number
  lines: number
}

function isCut(text: string, limit: Limit): boolean {
  return cutText(text, limit).length < text.length
}

function cutText(text: string, {length, lines}: Limit): string {
  const {text: start} = cutAt(text, length)
  let end = -1
  for (let count = 0; count < lines; count++) {
    end = start.indexOf('\n', end + 1)
    if (end === -1) return start
  }
  return start.slice(0, end)
}
