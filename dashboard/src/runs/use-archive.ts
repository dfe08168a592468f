import {useEffect, useState} from 'react'
import type {HubAnswer} from '../hub/api.ts'
import {fetchArchive, startArchive, type ArchiveState} from '../hub/history-api.ts'
import {useConnectionState} from '../hub/hub.tsx'

/** Sessions that an agent will delete soon. */
export type AtRisk = NonNullable<ArchiveState['atRisk']>

/** The state of the archive, and its commands. */
export type Archive = ReturnType<typeof useArchive>

const REFRESH_MS = 60_000
const PROGRESS_MS = 1000

/** The state of the archive; `undefined` until it is known, and with a hub that has none. */
export function useArchive() {
  const [state, setState] = useState<ArchiveState>()
  const [error, setError] = useState<string>()
  /** The sessions at risk when archiving started. */
  const [asked, setAsked] = useState<AtRisk>()
  const isLive = useConnectionState().kind === 'live'
  const isWorking = state !== undefined && state.progress !== null
  const isDone = state !== undefined && !isWorking && state.atRisk === null
  const isBusy = isWorking || (asked !== undefined && !isDone)
  useEffect(() => {
    if (!isLive) return undefined
    let isGone = false
    const refresh = async () => {
      if (document.hidden) return
      const answer = await fetchArchive()
      if (isGone) return
      if (answer.ok) setState(answer.value)
      else clearInterval(timer)
    }
    const timer = setInterval(() => void refresh(), isBusy ? PROGRESS_MS : REFRESH_MS)
    void refresh()
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [isLive, isBusy])
  const run = async (command: () => Promise<HubAnswer<unknown>>) => {
    const isStart = command === startArchive
    setError(undefined)
    const answer = await command()
    if (!answer.ok) setError(answer.error.message)
    setAsked(isStart && answer.ok ? (state?.atRisk ?? undefined) : undefined)
  }
  return {
    state,
    error,
    isStarting: isBusy && !isWorking,
    archived: isDone ? asked : undefined,
    run: (command: () => Promise<HubAnswer<unknown>>) => void run(command),
    close: () => setAsked(undefined),
  }
}
