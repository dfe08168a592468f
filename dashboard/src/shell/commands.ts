import {useEffect, useRef, useSyncExternalStore} from 'react'
import type {IconName} from '../ui/icon.tsx'

/** Something to do, for the palette. */
export interface Command {
  id: string
  title: string
  icon: IconName
  /** The key that does the same. */
  keys?: string | undefined
  /** Ends or loses something: never the first in the list, and red. */
  isDangerous?: boolean | undefined
  run(): void
}

/** Commands of a part of the page. */
export interface CommandGroup {
  title: string
  /** The commands as they are now. */
  read(): readonly Command[]
}

/** Puts commands into the palette for as long as a component is there. */
export function useCommands(
  title: string,
  commands: readonly Command[],
  {isOutermost = false} = {},
): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const group: CommandGroup = {title, read: () => latest.current}
    set(isOutermost ? [...groups, group] : [group, ...groups])
    return () => set(groups.filter((other) => other !== group))
  }, [title, isOutermost])
}

/** All commands that there are now, the innermost first. */
export function useCommandGroups(): readonly CommandGroup[] {
  return useSyncExternalStore(subscribe, () => groups)
}

let groups: readonly CommandGroup[] = []
const listeners = new Set<() => void>()

function set(next: readonly CommandGroup[]): void {
  groups = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
