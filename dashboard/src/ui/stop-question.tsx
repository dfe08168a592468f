import type {Ref} from 'react'

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
  const size = isSmall ? 'btn sm' : 'btn'
  return (
    <>
      <button type="button" ref={yes} className={`${size} danger`} onClick={() => onAnswer(true)}>
        Stop? Yes <kbd aria-hidden="true">⏎</kbd>
      </button>
      <button type="button" className={`${size} quiet`} onClick={() => onAnswer(false)}>
        No <kbd aria-hidden="true">esc</kbd>
      </button>
    </>
  )
}
