import {useHub} from '../hub/hub.tsx'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {CopyButton} from '../ui/copy-button.tsx'
import {Logo} from './logo.tsx'
import styles from './message.module.css'
import {Page} from './page.tsx'

/** The page for clients without a valid session. */
export function LoginPage() {
  const {connection} = useHub()
  return (
    <Page title="Log in" className={styles.message}>
      <Logo className={styles.logo} />
      <h1>Log in</h1>
      <p>
        Open the login link that <code>vitrine serve</code> printed, or create a new one:
      </p>
      <pre>
        <span className={common.grow}>vitrine login</span>
        <CopyButton text="vitrine login" />
      </pre>
      <p className={styles.hint}>A link is valid once, for 10 minutes.</p>
      <Button onClick={() => connection.tryNow()}>Try again</Button>
    </Page>
  )
}
