import type {ReactNode} from 'react'
import {Link} from './link.tsx'
import {Page} from './page.tsx'

/** For those who came to where nothing is: says so, and shows the way back. */
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
