import {createContext, use} from 'react'
import type {PanelActions} from './use-panels.ts'
import type {ReplayActions} from './use-replay.ts'
import type {SelectionActions} from './use-selection.ts'

/** Commands of the run page. They stay the same for as long as the page is open. */
export type RunActions = PanelActions & ReplayActions & SelectionActions

/** Provides the commands of the run page to its components. */
export const RunActionsContext = createContext<RunActions | undefined>(undefined)

/** The commands of the run page around a component. */
export function useRunActions(): RunActions {
  const actions = use(RunActionsContext)
  if (actions === undefined) throw new Error('useRunActions needs a RunActionsContext around it.')
  return actions
}
