import type {ReactNode} from 'react'
import {toButtonClass} from '../ui/button.tsx'
import {Link} from './link.tsx'
import styles from './message.module.css'
import {Page} from './page.tsx'

/** The page for an unknown path, with a way back. */
export function NothingPage({title, children}: {title: string; children?: ReactNode}) {
  return (
    <Page title={title} className={styles.message}>
      <h1>{title}</h1>
      {children}
      <p>
        <Link className={toButtonClass()} href="/">
          All runs
        </Link>
      </p>
    </Page>
  )
}
