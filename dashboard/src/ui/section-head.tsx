import styles from './section-head.module.css'

/** Heading of a part of the details panel, with a fact at its right. */
export function SectionHead({title, fact}: {title: string; fact?: string | undefined}) {
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>{title}</h3>
      {fact !== undefined && fact !== '' && <span className={styles.fact}>{fact}</span>}
    </div>
  )
}
