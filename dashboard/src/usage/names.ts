import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import type {UsageOverview} from '../hub/usage-api.ts'
import {nameFolder, nameFolders} from '../ui/folder-names.ts'
import type {UsageCell} from './amounts.ts'
import type {Group} from './series.ts'

/** The names of agents, models and projects on the page. */
export interface Names {
  agent(id: string): string
  /** Two letters of an agent, if they are not the first two of its name. */
  monogram(id: string): string | undefined
  project(path: string): string
  /** The name of what the charts are grouped by. */
  of(group: Group, key: string): string
}

/** Makes the names for everything in some cells. */
export function makeNames(
  folders: UsageOverview['folders'],
  cells: readonly UsageCell[],
  runs: Iterable<Pick<RunSummary, 'agent' | 'monogram'>>,
): Names {
  const labels = new Map(folders.map(({agent, label}) => [agent, label]))
  const monograms = new Map(Array.from(runs, ({agent, monogram}) => [agent, monogram]))
  const projects = nameFolders(cells.map(({project}) => project))
  const names: Names = {
    agent: (id) => labels.get(id) ?? (id === '' ? 'Other commands' : capitalize(id)),
    monogram: (id) => monograms.get(id),
    project: (path) => projects.get(path) ?? nameFolder(path),
    of(group, key) {
      if (group === 'agent') return names.agent(key)
      if (group === 'project') return names.project(key)
      return key === '' ? 'Unknown model' : escapeControls(key)
    },
  }
  return names
}

function capitalize(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1)
}
