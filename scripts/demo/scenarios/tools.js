// Tool calls of scripted models, for each agent.

import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {git} from '../record.js'

/** @import {ToolCall} from '../../agents/model-server.js' */

/** The tools of Claude Code. */
export const claude = {
  /** @type {(file_path: string, range?: {offset: number, limit: number}) => ToolCall} */
  read: (file_path, range) => ({name: 'Read', input: {file_path, ...range}}),
  /** @type {(pattern: string, more?: Record<string, unknown>) => ToolCall} */
  grep: (pattern, more) => ({
    name: 'Grep',
    input: {pattern, output_mode: 'content', '-n': true, ...more},
  }),
  /** @type {(pattern: string) => ToolCall} */
  glob: (pattern) => ({name: 'Glob', input: {pattern}}),
  /** @type {(file_path: string, old_string: string, new_string: string) => ToolCall} */
  edit: (file_path, old_string, new_string) => ({
    name: 'Edit',
    input: {file_path, old_string, new_string},
  }),
  /** @type {(file_path: string, content: string) => ToolCall} */
  write: (file_path, content) => ({name: 'Write', input: {file_path, content}}),
  /** @type {(command: string, description: string, more?: Record<string, unknown>) => ToolCall} */
  bash: (command, description, more) => ({name: 'Bash', input: {command, description, ...more}}),
  /** @type {(description: string, prompt: string) => ToolCall} */
  task: (description, prompt) => ({
    name: 'Task',
    input: {description, prompt, subagent_type: 'general-purpose', run_in_background: false},
  }),
  /**
   * A plan with `done` completed steps; the next step is in progress.
   *
   * @type {(steps: readonly string[], done: number) => ToolCall}
   */
  plan: (steps, done) => ({
    name: 'TodoWrite',
    input: {
      todos: steps.map((content, index) => ({
        content,
        status: toStatus(index, done),
        activeForm: content,
      })),
    },
  }),
}

/** Arguments of Claude that enable all of these tools without permission requests. */
export const UNATTENDED_ARGS = [
  '--tools',
  'Task,Bash,Read,Edit,Write,Grep,Glob,TodoWrite',
  '--dangerously-skip-permissions',
]

/** Arguments of Claude that allow edits and request permission for commands on stdout. */
export const ASKING_ARGS =
  '--permission-prompt-tool stdio --permission-mode acceptEdits --tools Bash,Read,Edit,Write,Grep,Glob,TodoWrite'.split(
    ' ',
  )

/** Makes Claude use `TodoWrite` for its plan. */
export const WITH_PLAN = {CLAUDE_CODE_ENABLE_TASKS: '0'}

/** Makes the hashes of commits the same in every recording. */
export const WITH_FIXED_DATES = {
  GIT_AUTHOR_DATE: '2026-11-16T09:00:00Z',
  GIT_COMMITTER_DATE: '2026-11-16T09:00:00Z',
}

/** The tools of Codex. */
export const codex = {
  /** @type {(cmd: string) => ToolCall} */
  run: (cmd) => ({name: 'exec_command', input: {cmd, yield_time_ms: 30_000}}),
  /** @type {(input: string) => ToolCall} */
  patch: (input) => ({name: 'apply_patch', input}),
  /** @type {(steps: readonly string[], done: number) => ToolCall} */
  plan: (steps, done) => ({
    name: 'update_plan',
    input: {plan: steps.map((step, index) => ({step, status: toStatus(index, done)}))},
  }),
}

/** The tools of Gemini. */
export const gemini = {
  /** @type {(file_path: string) => ToolCall} */
  read: (file_path) => ({name: 'read_file', input: {file_path}}),
  /** @type {(dir_path: string) => ToolCall} */
  list: (dir_path) => ({name: 'list_directory', input: {dir_path}}),
  /** @type {(pattern: string, dir_path: string) => ToolCall} */
  search: (pattern, dir_path) => ({name: 'grep_search', input: {pattern, dir_path}}),
  /** @type {(file_path: string, content: string) => ToolCall} */
  write: (file_path, content) => ({name: 'write_file', input: {file_path, content}}),
  /** @type {(file_path: string, old_string: string, new_string: string) => ToolCall} */
  replace: (file_path, old_string, new_string) => ({
    name: 'replace',
    input: {file_path, instruction: 'Show the way of v3', old_string, new_string},
  }),
  /** @type {(command: string) => ToolCall} */
  run: (command) => ({name: 'run_shell_command', input: {command}}),
  /** @type {(steps: readonly string[], done: number) => ToolCall} */
  plan: (steps, done) => ({
    name: 'write_todos',
    input: {
      todos: steps.map((description, index) => ({description, status: toStatus(index, done)})),
    },
  }),
}

/** The tools of OpenCode. */
export const opencode = {
  /** @type {(command: string, description: string) => ToolCall} */
  bash: (command, description) => ({name: 'bash', input: {command, description}}),
  /** @type {(filePath: string) => ToolCall} */
  read: (filePath) => ({name: 'read', input: {filePath}}),
  /** @type {(filePath: string, oldString: string, newString: string) => ToolCall} */
  edit: (filePath, oldString, newString) => ({
    name: 'edit',
    input: {filePath, oldString, newString},
  }),
  /** @type {(steps: readonly string[], done: number) => ToolCall} */
  plan: (steps, done) => ({
    name: 'todowrite',
    input: {
      todos: steps.map((content, index) => ({
        content,
        status: toStatus(index, done),
        priority: 'medium',
      })),
    },
  }),
}

/** The tools of Qwen. */
export const qwen = {
  /** @type {(file_path: string) => ToolCall} */
  read: (file_path) => ({name: 'read_file', input: {file_path}}),
  /** @type {(file_path: string, old_string: string, new_string: string) => ToolCall} */
  edit: (file_path, old_string, new_string) => ({
    name: 'edit',
    input: {file_path, old_string, new_string},
  }),
  /** @type {(command: string, description: string) => ToolCall} */
  run: (command, description) => ({
    name: 'run_shell_command',
    input: {command, description, is_background: false},
  }),
  /** @type {(steps: readonly string[], done: number) => ToolCall} */
  plan: (steps, done) => ({
    name: 'todo_write',
    input: {
      todos: steps.map((content, index) => ({
        id: `${index + 1}`,
        content,
        status: toStatus(index, done),
      })),
    },
  }),
}

/** The tools of Copilot. */
export const copilot = {
  /** @type {(path: string) => ToolCall} */
  view: (path) => ({name: 'view', input: {path}}),
  /** @type {(command: string, description: string) => ToolCall} */
  bash: (command, description) => ({name: 'bash', input: {command, description}}),
}

/**
 * @param {number} index
 * @param {number} done
 */
function toStatus(index, done) {
  if (index < done) return 'completed'
  return index === done ? 'in_progress' : 'pending'
}

/**
 * Adds a remote repository to push to.
 *
 * @param {string} cwd
 */
export function addRemote(cwd) {
  const remote = '../git/acme/ledger-api.git'
  mkdirSync(join(cwd, remote), {recursive: true})
  git(join(cwd, remote), 'init', '--quiet', '--bare')
  git(cwd, 'remote', 'add', 'origin', remote)
  git(cwd, 'push', '--quiet', '-u', 'origin', 'main')
}
