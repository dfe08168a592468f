import {useEffect, useRef, type ReactNode} from 'react'
import {classNames} from '../ui/class-names.ts'
import styles from './modal.module.css'

/** A modal dialog. The browser keeps the focus in it and restores it. */
export function Modal({
  label,
  isWide = false,
  onClose,
  children,
}: {
  label: string
  isWide?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    // On the keyboard, Escape does the same as a click outside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className={styles.modal}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={classNames(styles.box, isWide && styles.wide)}>{children}</div>
    </dialog>
  )
}
