import type {ReactNode} from 'react'
import {SectionHead} from '../ui/section-head.tsx'
import styles from './section.module.css'

/** A section of the statistics, with a total beside its title. */
export function Section({
  title,
  fact,
  children,
}: {
  title: string
  fact?: string | undefined
  children?: ReactNode
}) {
  return (
    <section className={styles.section}>
      <SectionHead title={title} fact={fact} />
      {children}
    </section>
  )
}
