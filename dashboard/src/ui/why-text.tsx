import type {WhyPart} from './why.ts'

/** A sentence in which agent text is shown as code. */
export function WhyText({parts}: {parts: readonly WhyPart[]}) {
  return parts.map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence have no identity
    typeof part === 'string' ? part : <code key={index}>{part.code}</code>,
  )
}
