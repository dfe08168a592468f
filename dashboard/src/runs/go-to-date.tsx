import {useState, type FormEvent} from 'react'
import {Modal} from '../shell/modal.tsx'
import {useKeys} from '../shell/keys.ts'
import {Button} from '../ui/button.tsx'
import styles from './go-to-date.module.css'

/** Asks for a date to go to. */
export function GoToDate({
  today,
  onGo,
  onClose,
}: {
  today: string
  onGo: (day: string) => void
  onClose: () => void
}) {
  const [day, setDay] = useState(today)
  useKeys('Date', NO_KEYS, {isExclusive: true})
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    if (day !== '') onGo(day)
  }
  return (
    <Modal label="Go to date" onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label>
          Go to date{' '}
          <input
            type="date"
            className={styles.date}
            value={day}
            max={today}
            onChange={({target}) => setDay(target.value)}
          />
        </label>
        <Button kind="primary" type="submit">
          Go
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </form>
    </Modal>
  )
}

const NO_KEYS = {}
