import type {ReactNode} from 'react'
import {Link} from './link.tsx'
import {Page} from './page.tsx'

/** The page for an unknown path, with a way back. */
export function NothingPage({title, children}: {title: string; children?: ReactNode}) {
  return (
    <Page title={title} className="lone">
      <h1>{title}</h1>
      {children}
      <p>
        <Link className="btn" href="/">
          All runs
        </Link>
      </p>
    </Page>
  )
}
