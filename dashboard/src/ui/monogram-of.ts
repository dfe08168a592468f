/** The two letters of an agent: `Cl` for `claude`, `$_` for a command that is none. */
export function monogramOf(agent: string | null): string {
  if (agent === null) return '$_'
  return MONOGRAMS[agent] ?? agent.charAt(0).toUpperCase() + agent.slice(1, 2).toLowerCase()
}

/** Where the first two letters would not tell them apart. */
const MONOGRAMS: Readonly<Record<string, string>> = {
  codex: 'Cx',
  copilot: 'Cp',
  cline: 'Cn',
  opencode: 'Oc',
}
