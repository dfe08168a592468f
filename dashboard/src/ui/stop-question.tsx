import {useEffect, useRef} from 'react'
import {Button} from './button.tsx'

/** Asks for confirmation in place of the stop button, and takes the focus. */
export function StopQuestion({
  isSmall = false,
  onAnswer,
}: {
  isSmall?: boolean
  onAnswer: (isMeant: boolean) => void
}) {
  const yes = useRef<HTMLButtonElement>(null)
  // The rows of a list stay where they are.
  useEffect(() => yes.current?.focus({preventScroll: isSmall}), [isSmall])
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
