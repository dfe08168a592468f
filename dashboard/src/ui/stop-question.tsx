import type {Ref} from 'react'
import {Button} from './button.tsx'

/** Asks for confirmation in place of the stop button. */
export function StopQuestion({
  yes,
  isSmall = false,
  onAnswer,
}: {
  /** The confirm button, which takes the focus. */
  yes: Ref<HTMLButtonElement>
  isSmall?: boolean
  onAnswer: (isMeant: boolean) => void
}) {
  const size = isSmall ? 'small' : undefined
  return (
    <>
      <Button kind="danger" size={size} ref={yes} onClick={() => onAnswer(true)}>
        Stop? Yes <kbd aria-hidden="true">⏎</kbd>
      </Button>
      <Button kind="quiet" size={size} onClick={() => onAnswer(false)}>
        No <kbd aria-hidden="true">esc</kbd>
      </Button>
    </>
  )
}
