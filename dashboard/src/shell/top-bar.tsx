import {useConnectionState} from '../hub/hub.tsx'
import {Icon} from '../ui/icon.tsx'
import {Link} from './link.tsx'
import {Logo} from './logo.tsx'
import {MODIFIER} from './platform.ts'
import {parsePath, usePath} from './router.ts'
import {ThemeButton} from './theme-button.tsx'

/** The bar above every page. */
export function TopBar({onFind}: {onFind: () => void}) {
  const {page} = parsePath(usePath())
  return (
    <header className="top">
      <Link className="logo" href="/">
        <Logo />
        <span className="word">Vitrine</span>
      </Link>
      <nav className="nav" aria-label="Main">
        <Link href="/" aria-current={page === 'runs' ? 'page' : undefined}>
          Runs
        </Link>
      </nav>
      <span className="grow" />
      <button
        type="button"
        className="find"
        onClick={onFind}
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
      >
        <Icon name="search" size={14} />
        <span className="grow cut">Search runs, tools, text</span>
        <kbd aria-hidden="true">{MODIFIER}K</kbd>
      </button>
      <span className="grow" />
      <HubSign />
      <ThemeButton />
    </header>
  )
}

/** Whether the page is live. */
function HubSign() {
  const {kind} = useConnectionState()
  const words =
    kind === 'live'
      ? 'Live'
      : kind === 'connecting'
        ? 'Connecting'
        : kind === 'lost'
          ? 'Reconnecting'
          : 'Not logged in'
  return (
    <span className={kind === 'live' ? 'hub' : 'hub off'} title={`Hub: ${words}`}>
      <i />
      <span>{words}</span>
    </span>
  )
}
