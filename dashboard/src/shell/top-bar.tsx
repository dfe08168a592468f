import {useConnectionState} from '../hub/hub.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {Link} from './link.tsx'
import {Logo} from './logo.tsx'
import {MODIFIER} from './platform.ts'
import {parsePath, usePath} from './router.ts'
import {ThemeButton} from './theme-button.tsx'
import styles from './top-bar.module.css'

/** The bar above every page. */
export function TopBar({onFind}: {onFind: () => void}) {
  const {page} = parsePath(usePath())
  return (
    <header className={styles.topBar}>
      <Link className={styles.logo} href="/">
        <Logo />
        <span>Vitrine</span>
      </Link>
      <nav className={styles.navigation} aria-label="Main">
        <Link href="/" aria-current={page === 'runs' ? 'page' : undefined}>
          Runs
        </Link>
        <Link href="/usage" aria-current={page === 'usage' ? 'page' : undefined}>
          Usage
        </Link>
      </nav>
      <span className={styles.spacer} />
      <button
        type="button"
        // The list of runs has a search field of its own.
        className={classNames(styles.search, page === 'runs' && styles.isReplaced)}
        onClick={onFind}
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
      >
        <Icon name="search" size={14} />
        <span className={classNames(common.grow, common.ellipsis, styles.searchHint)}>
          Search runs and sessions
        </span>
        <kbd aria-hidden="true">{MODIFIER}K</kbd>
      </button>
      <span className={styles.spacer} />
      <HubSign />
      <ThemeButton />
    </header>
  )
}

const CONNECTION_WORDS = {
  live: 'Live',
  connecting: 'Connecting',
  lost: 'Reconnecting',
  refused: 'Not logged in',
}

/** Whether the page is live. */
function HubSign() {
  const {kind} = useConnectionState()
  const words = CONNECTION_WORDS[kind]
  return (
    <span
      className={classNames(styles.connection, kind !== 'live' && styles.isOffline)}
      title={`Hub: ${words}`}
    >
      <i />
      <span>{words}</span>
    </span>
  )
}
