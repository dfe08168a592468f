import type {ReactNode} from 'react'

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
    <section className="st">
      <div className="st-h">
        <h3>{title}</h3>
        {fact !== undefined && fact !== '' && <span className="num">{fact}</span>}
      </div>
      {children}
    </section>
  )
}
