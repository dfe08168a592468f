// A list beside a field that keeps the focus has no native HTML element.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import {useEffect, useId, useState, type KeyboardEvent} from 'react'
import {fetchSearch, type HubAnswer, type HitPage} from '../hub/api.ts'
import {useRunList} from '../hub/hub.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {useCommandGroups} from './commands.ts'
import {useKeys} from './keys.ts'
import {Modal} from './modal.tsx'
import {
  listCommands,
  listHits,
  listRuns,
  type PaletteEntry,
  type PaletteSection,
} from './palette-entries.ts'
import styles from './palette.module.css'

/** One field for everything: commands of the page, runs by title, text in all runs. */
export function Palette({onClose}: {onClose: () => void}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const {found, search, forget} = useSearch()
  const {runs} = useRunList()
  const groups = useCommandGroups()
  useKeys('Palette', NO_KEYS, {isExclusive: true})

  const words = typed.trim()
  const searching: PaletteEntry = {
    id: 'search',
    icon: 'search',
    title: words === '' ? 'Search text: type what to find' : `Search text for “${words}”`,
    keys: '⇥',
    isStaying: true,
    run: () => void search(words),
  }
  const sections: PaletteSection[] =
    found === undefined
      ? [
          ...listCommands(groups.slice(0, -1), words),
          listRuns(runs.values(), words),
          ...listCommands(groups.slice(-1), words),
          {id: 'text', title: 'Text in all runs and sessions', entries: [searching]},
        ]
      : [
          {
            id: 'hits',
            title: `Text in all runs and sessions: “${found.words}”`,
            entries: listHits(found.answer?.ok === true ? found.answer.value.hits : [], runs),
          },
        ]
  const shown = sections.filter(({entries}) => entries.length > 0)
  const entries = shown.flatMap((section) => section.entries)
  const current = entries[Math.min(chosen, entries.length - 1)]

  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    if (entry.isStaying !== true) onClose()
    entry.run()
    setChosen(0)
  }
  const press = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move !== undefined && entries.length > 0) {
      setChosen((Math.min(chosen, entries.length - 1) + move + entries.length) % entries.length)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) choose(current)
    else if (event.key === 'Tab') void search(words)
    else return
    event.preventDefault()
  }
  useScrollTo(current === undefined ? undefined : `${id}-${current.id}`)

  return (
    <Modal label="Commands and search" onClose={() => (found === undefined ? onClose() : forget())}>
      <input
        className={styles.input}
        value={typed}
        onChange={({target}) => {
          setTyped(target.value)
          setChosen(0)
          forget()
        }}
        onKeyDown={press}
        placeholder="Type a command, a run, or text to find"
        role="combobox"
        aria-label="Command, run or text"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.entries} id={`${id}-list`} role="listbox" aria-label="Results">
        {shown.map(({id: section, title, entries: lines}) => (
          <div key={section} role="group" aria-label={title}>
            <h3 aria-hidden="true">{title}</h3>
            {lines.map((entry) => (
              <Entry
                key={entry.id}
                id={`${id}-${entry.id}`}
                entry={entry}
                isChosen={entry === current}
                onChoose={() => choose(entry)}
                onPoint={() => setChosen(entries.indexOf(entry))}
              />
            ))}
          </div>
        ))}
      </div>
      <output className={styles.status}>{found && describeSearch(found)}</output>
      <footer className={styles.keys}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>⏎</kbd> select
        </span>
        <span>
          <kbd>esc</kbd> {found === undefined ? 'close' : 'back'}
        </span>
      </footer>
    </Modal>
  )
}

function Entry({
  id,
  entry,
  isChosen,
  onChoose,
  onPoint,
}: {
  id: string
  entry: PaletteEntry
  isChosen: boolean
  onChoose: () => void
  onPoint: () => void
}) {
  const {icon, title, note, keys, isDangerous} = entry
  return (
    // The focus stays in the field, which handles all keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classNames(styles.entry, isDangerous === true && styles.isDangerous)}
      onClick={onChoose}
      onPointerMove={onPoint}
    >
      <Icon name={icon} />
      <span className={classNames(common.grow, common.ellipsis)}>{title}</span>
      {note !== undefined && (
        <span className={classNames(common.muted, common.ellipsis, styles.note)}>{note}</span>
      )}
      {keys?.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </div>
  )
}

/** A search and its answer, if that has arrived. */
interface Search {
  words: string
  answer?: HubAnswer<HitPage>
}

/** Searches the hub; drops an answer to an outdated query. */
function useSearch() {
  const [found, setFound] = useState<Search>()
  const search = async (words: string) => {
    if (words === '') return
    setFound({words})
    const answer = await fetchSearch(words, {limit: MAX_HITS})
    setFound((latest) => (latest?.words === words ? {words, answer} : latest))
  }
  return {found, search, forget: () => setFound(undefined)}
}

function describeSearch({words, answer}: Search): string {
  if (answer === undefined) return ''
  if (!answer.ok) return answer.error.message
  const {indexing, hits} = answer.value
  const rest = indexing > 0 ? ' Some runs cannot be searched yet.' : ''
  if (hits.length === 0) return `No results for “${words}”.${rest}`
  const count = hits.length === MAX_HITS ? `The newest ${MAX_HITS}.` : `${hits.length} found.`
  return `${count}${rest}`
}

function useScrollTo(id: string | undefined): void {
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({block: 'nearest'})
  }, [id])
}

const MOVES: Readonly<Record<string, number>> = {ArrowDown: 1, ArrowUp: -1}
const NO_KEYS = {}
const MAX_HITS = 50
