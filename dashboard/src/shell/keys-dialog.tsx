import {useState} from 'react'
import {showKey, type KeyScope, type KeyTable} from './keyboard.ts'
import {areKeysOn, setKeysOn, useKeys, useKeyScopes} from './keys.ts'
import {Modal} from './modal.tsx'
import {MODIFIER} from './platform.ts'

/** All keys of this page, and a switch to turn them off. */
export function KeysDialog({onClose}: {onClose: () => void}) {
  const [isOn, setIsOn] = useState(areKeysOn)
  const groups = joinScopes(useKeyScopes().filter(({title}) => title !== TITLE))
  useKeys(TITLE, {'?': {words: 'close', act: onClose}}, {isExclusive: true})
  return (
    <Modal label="All keys" className="all-keys" onClose={onClose}>
      <div className="pal">
        <header>
          <h2 className="grow">All keys</h2>
          <button type="button" className="btn sm" onClick={onClose}>
            Close
          </button>
        </header>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls it by key */}
        <div className="columns" tabIndex={0}>
          {groups.map(([title, table]) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {Object.entries(table).map(([keys, {words, also = []}]) => (
                  <div key={keys}>
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
                  <div>
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
          <label>
            <input
              type="checkbox"
              checked={isOn}
              onChange={({target}) => {
                setKeysOn(target.checked)
                setIsOn(target.checked)
              }}
            />{' '}
            Keys of one letter are on
          </label>
        </footer>
      </div>
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
