import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import type {SearchHit} from '../hub/api.ts'
import type {IconName} from '../ui/icon.tsx'
import {describeState, needsAttention} from '../ui/state.ts'
import type {Command, CommandGroup} from './commands.ts'
import {navigate, pathOfRun} from './router.ts'

/** A row of the palette. */
export interface PaletteEntry extends Command {
  /** At the right: a state, a run. */
  note?: string | undefined
  /** Whether it keeps the palette open. */
  isStaying?: boolean | undefined
}

/** Rows of the palette under one heading. */
export interface PaletteSection {
  id: string
  title: string
  entries: readonly PaletteEntry[]
}

/** Limits the number of runs. */
const MAX_RUNS = 7

/** The commands that match; destructive ones last. */
export function listCommands(groups: readonly CommandGroup[], typed: string): PaletteSection[] {
  return groups.map(({title, read}) => {
    const fitting = read()
      .filter((command) => fits(command.title, typed))
      .toSorted((a, b) => Number(a.isDangerous ?? false) - Number(b.isDangerous ?? false))
    const entries = fitting.map((command) => toEntry(title, command))
    return {id: `commands-${title}`, title, entries}
  })
}

function toEntry(group: string, command: Command): PaletteEntry {
  return {...command, id: `command-${group}-${command.id}`}
}

/** The runs that match: those that need attention first, then the newest. */
export function listRuns(runs: Iterable<RunSummary>, typed: string): PaletteSection {
  const fitting = [...runs]
    .filter(({title, runId, cwd}) => fits(`${title} ${runId} ${cwd}`, typed))
    .toSorted((a, b) => rank(a) - rank(b) || b.startedAt - a.startedAt)
  const entries = fitting.slice(0, MAX_RUNS).map((run): PaletteEntry => {
    const {icon, word} = describeState(run)
    return {
      id: `run-${run.runId}`,
      icon: icon === 'live' ? 'play' : icon,
      title: escapeControls(run.title),
      note: word.toLowerCase(),
      run: () => navigate(pathOfRun(run.runId)),
    }
  })
  return {id: 'runs', title: 'Runs and sessions', entries}
}

/** The matches of a text search. */
export function listHits(
  hits: readonly SearchHit[],
  runs: ReadonlyMap<string, RunSummary>,
): PaletteEntry[] {
  return hits.map(({runId, seq, type, at, snippet}) => ({
    id: `hit-${runId}-${seq}`,
    icon: HIT_ICONS[type] ?? 'search',
    title: escapeControls(snippet.replaceAll(/\s+/g, ' ').trim()),
    note: escapeControls(runs.get(runId)?.title ?? runId),
    run: () => navigate(pathOfRun(runId, {near: String(at)})),
  }))
}

const HIT_ICONS: Readonly<Partial<Record<SearchHit['type'], IconName>>> = {
  agent_output: 'text',
  agent_tool_call: 'bash',
  agent_tool_result: 'list',
  file_changed: 'files',
  permission_request: 'hand',
  run_started: 'play',
  run_ended: 'flag',
}

/** Runs that need attention first, then live ones. */
function rank(run: RunSummary): number {
  return needsAttention(run) ? 0 : run.state === 'over' ? 2 : 1
}

/** Whether a text contains all typed words. */
function fits(text: string, typed: string): boolean {
  const lower = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
