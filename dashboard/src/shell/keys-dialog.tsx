import {Button} from '../ui/button.tsx'
import {useStore} from '../ui/create-store.ts'
import {showKey, type KeyScope, type KeyTable} from './keyboard.ts'
import styles from './keys-dialog.module.css'
import {areKeysOn, setKeysOn, useKeys, useKeyScopes} from './keys.ts'
import {Modal} from './modal.tsx'
import {MODIFIER} from './platform.ts'

/** All keys of this page, and a switch to turn them off. */
export function KeysDialog({onClose}: {onClose: () => void}) {
  const isOn = useStore(areKeysOn)
  const groups = joinScopes(useKeyScopes().filter(({title}) => title !== TITLE))
  useKeys(TITLE, {'?': {words: 'close', act: onClose}}, {isExclusive: true})
  return (
    <Modal label="Keyboard shortcuts" isWide onClose={onClose}>
      <header className={styles.head}>
        <h2 className={styles.title}>Keyboard shortcuts</h2>
        <Button size="small" onClick={onClose}>
          Close
        </Button>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it must be scrollable by keyboard */}
      <div className={styles.columns} tabIndex={0}>
        {groups.map(([title, table]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {Object.entries(table).map(([keys, {words, also = []}]) => (
                <div key={keys} className={styles.key}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{showKey(key)}</kbd>
                    ))}
                    {also.map((key) => (
                      <kbd key={key}>{showKey(key)}</kbd>
                    ))}
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
              {title === 'Everywhere' && (
                <div className={styles.key}>
                  <dt>
                    <kbd>{MODIFIER}K</kbd>
                  </dt>
                  <dd>commands and search</dd>
                </div>
              )}
            </dl>
          </section>
        ))}
      </div>
      <footer>
        <label className={styles.toggle}>
          <input
            type="checkbox"
            checked={isOn}
            onChange={({target}) => setKeysOn(target.checked)}
          />{' '}
          Single-letter keys are on
        </label>
      </footer>
    </Modal>
  )
}

const TITLE = 'This list'

/** The keys under each title, the innermost first: several parts of a page may share a title. */
function joinScopes(scopes: readonly KeyScope[]): [title: string, table: KeyTable][] {
  const tables = new Map<string, KeyTable>()
  for (const {title, table} of scopes.toReversed()) {
    tables.set(title, {...table, ...tables.get(title)})
  }
  return [...tables]
}
