import {Component, type ReactNode} from 'react'
import {Button, toButtonClass} from '../ui/button.tsx'
import styles from './message.module.css'
import {Page} from './page.tsx'

interface Props {
  children: ReactNode
  /** Whether the page has no hub. */
  isAlone?: boolean | undefined
}

/** An error page with the next step. A class, because React requires one. */
export class ErrorBoundary extends Component<Props, {error?: unknown}> {
  override state: {error?: unknown} = {}

  static getDerivedStateFromError(error: unknown): {error: unknown} {
    return {error}
  }

  override render(): ReactNode {
    const {error} = this.state
    const {children, isAlone = false} = this.props
    if (error === undefined) return children
    return (
      <Page title="Error" className={styles.message}>
        <h1>Something went wrong</h1>
        <p>
          {isAlone || 'Agents keep running and keep being recorded. '}Reload the page to continue.
        </p>
        <pre>{error instanceof Error ? error.message : String(error)}</pre>
        <Button kind="primary" onClick={() => location.reload()}>
          Reload
        </Button>{' '}
        {!isAlone && (
          <a className={toButtonClass()} href="/">
            All runs
          </a>
        )}
      </Page>
    )
  }
}
