import type {ComponentProps} from 'react'
import styles from './button.module.css'
import {classNames} from './class-names.ts'

/** Appearance of a button. */
export interface ButtonStyle {
  kind?: 'primary' | 'danger' | 'quiet' | undefined
  /** `icon`: a square for one icon. */
  size?: 'small' | 'icon' | undefined
}

/** A button; it submits a form only with `type="submit"`. */
export function Button({
  kind,
  size,
  type = 'button',
  className,
  ...rest
}: ComponentProps<'button'> & ButtonStyle) {
  return (
    <button type={type} className={classNames(toButtonClass({kind, size}), className)} {...rest} />
  )
}

/** The class of a link or an output that looks like a button. */
export function toButtonClass({kind, size}: ButtonStyle = {}): string {
  return classNames(styles.button, size && SIZES[size], kind && KINDS[kind])
}

const SIZES = {small: styles.small, icon: styles.icon}
const KINDS = {primary: styles.primary, danger: styles.danger, quiet: styles.quiet}
