import {useEffect} from 'react'
import {createStore, useStore} from '../ui/create-store.ts'
import type {IconName} from '../ui/icon.tsx'
import {useLatest} from '../ui/use-latest.ts'

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
  const latest = useLatest(commands)
  useEffect(() => {
    const group: CommandGroup = {title, read: () => latest.current}
    groups.set(isOutermost ? [...groups.get(), group] : [group, ...groups.get()])
    return () => groups.set(groups.get().filter((other) => other !== group))
  }, [title, isOutermost, latest])
}

/** All current commands, the innermost first. */
export function useCommandGroups(): readonly CommandGroup[] {
  return useStore(groups)
}

const groups = createStore<readonly CommandGroup[]>([])
