import {monogramOf} from './monogram-of.ts'

/** Two letters for an agent. */
export function Monogram({agent}: {agent: string | null}) {
  const name = agent ?? 'a command'
  return (
    <span className="ag" title={name}>
      <span aria-hidden="true">{monogramOf(agent)}</span>
      <span className="sr">{name}</span>
    </span>
  )
}
