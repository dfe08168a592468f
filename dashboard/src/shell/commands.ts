import {useEffect, useRef, useSyncExternalStore} from 'react'
import type {IconName} from '../ui/icon.tsx'

/** A command of the palette. */
export interface Command {
  id: string
  title: string
  icon: IconName
  /** Its keyboard shortcut. */
  keys?: string | undefined
  /** Whether it is destructive: never first in the list, and red. */
  isDangerous?: boolean | undefined
  run(): void
}

/** The commands of a part of the page. */
export interface CommandGroup {
  title: string
  /** The current commands. */
  read(): readonly Command[]
}

/** Adds commands to the palette while a component is mounted. */
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

/** All current commands, the innermost first. */
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
