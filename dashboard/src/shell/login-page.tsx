import {useHub} from '../hub/hub.tsx'
import {CopyButton} from '../ui/copy-button.tsx'
import {Logo} from './logo.tsx'
import {Page} from './page.tsx'

/** The page for clients without a valid session. */
export function LoginPage() {
  const {connection} = useHub()
  return (
    <Page title="Log in" className="lone">
      <Logo />
      <h1>This hub wants to know you</h1>
      <p>
        Open the login link that <code>vitrine serve</code> printed, or make a new one:
      </p>
      <pre>
        <span className="grow">vitrine login</span>
        <CopyButton text="vitrine login" />
      </pre>
      <p className="t3">A link is good once, within 10 minutes.</p>
      <button type="button" className="btn" onClick={() => connection.tryNow()}>
        Try again
      </button>
    </Page>
  )
}
