/** The name of an agent: `Claude Code` for `claude`. */
export function nameAgent(agent: string | null): string {
  return agent === null ? 'Other programs' : (NAMES[agent] ?? agent)
}

const NAMES: Readonly<Record<string, string>> = {
  amp: 'Amp',
  claude: 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  copilot: 'Copilot CLI',
  cursor: 'Cursor CLI',
  gemini: 'Gemini CLI',
  kimi: 'Kimi Code',
  opencode: 'OpenCode',
  pi: 'Pi',
  qwen: 'Qwen Code',
}
