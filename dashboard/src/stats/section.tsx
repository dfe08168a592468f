import type {ReactNode} from 'react'

/** A part of the figures, with what it comes to beside its name. */
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
