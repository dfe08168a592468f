import {useEffect, useState} from 'react'
import {Button} from './button.tsx'
import {Icon} from './icon.tsx'

/** Copies a text, and confirms it for a moment. */
export function CopyButton({text, label = 'Copy'}: {text: string; label?: string}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>(undefined)
  useEffect(() => {
    if (outcome === undefined) return undefined
    const timer = setTimeout(() => setOutcome(undefined), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  }
  const words = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not copied' : label
  return (
    <Button size="small" onClick={copy}>
      <Icon name={outcome === 'copied' ? 'ok' : 'copy'} size={14} />
      <span aria-live="polite">{words}</span>
    </Button>
  )
}
