/** A usage meter: neutral, amber over 80 %, red when over. */
export function Meter({
  share,
  label,
  tone = pickTone(share),
}: {
  share: number
  label: string
  tone?: 'neutral' | 'wait' | 'bad' | 'ok'
}) {
  const percent = Math.min(100, Math.max(0, share * 100))
  return (
    <span className={`meter m-${tone}`}>
      <i style={{width: `${percent}%`}} />
      <span className="sr">{label}</span>
    </span>
  )
}

function pickTone(share: number): 'neutral' | 'wait' | 'bad' {
  return share > 1 ? 'bad' : share >= 0.8 ? 'wait' : 'neutral'
}
