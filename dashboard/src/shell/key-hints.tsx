import styles from './key-hints.module.css'
import {listHints, showKey} from './keyboard.ts'
import {useKeyScopes} from './keys.ts'
import {MODIFIER} from './platform.ts'

/** The footer with the keys available here. */
export function KeyHints({
  onShowAll,
  onFind,
}: {
  onShowAll: () => void
  /** Opens the palette, if there is one. */
  onFind?: (() => void) | undefined
}) {
  const hints = listHints(useKeyScopes())
  return (
    <footer className={styles.keyHints} aria-label="Keys">
      {hints.map(({keys, hint}) => (
        <span key={hint}>
          {keys.flatMap(splitKeys).map((key) => (
            <kbd key={key}>{showKey(key)}</kbd>
          ))}
          {hint}
        </span>
      ))}
      {onFind !== undefined && (
        <button type="button" onClick={onFind}>
          <kbd>{MODIFIER}K</kbd>commands
        </button>
      )}
      <button type="button" onClick={onShowAll}>
        <kbd>?</kbd>all keys
      </button>
    </footer>
  )
}

/** The keys of a sequence such as `g d`. */
function splitKeys(keys: string): string[] {
  return keys.length === 1 ? [keys] : keys.split(' ')
}
