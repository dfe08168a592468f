import type {Tokens} from '../../core/events/events.ts'
import type {Answer, Conversation, Tool, ToolCall, Turn} from './conversation.ts'
import {PROJECTS, type Project} from './projects.ts'
import type {Random} from './random.ts'
import {FOLLOW_UPS, NARRATION, type Task} from './tasks.ts'

/** The properties of a session before its conversation is created. */
export interface Draft {
  task: Task
  agent: Conversation['agent']
  model: string
  /** When it begins. */
  at: number
  answerCount: number
  /** The time between two answers; random without it. */
  pauseMs?: number | undefined
}

/** Creates the conversation about a task. */
export function createConversation(
  {task, agent, model, at, answerCount, pauseMs}: Draft,
  random: Random,
  {folderOf, endsBefore = Infinity}: {folderOf(project: string): string; endsBefore?: number},
): Conversation {
  const project: Project = PROJECTS[task.project]
  const nextTokens = createTokens(random)
  const isV7 = agent === 'codex' || agent === 'pi'
  const turns: Turn[] = []
  let clock = at
  for (let left = answerCount; left > 0 && clock < endsBefore;) {
    const count = Math.min(left, random.integer(7, 15))
    const isFirst = turns.length === 0
    const topic = isFirst ? task : random.pick(FOLLOW_UPS)
    turns.push({at: clock, prompt: topic.prompt, answers: listAnswers(count, topic.answer)})
    clock += pauseMs ?? random.integer(40, 300) * 1000
    left -= count
  }
  return {
    agent,
    sessionId: isV7 ? random.timedUuid(at) : random.uuid(),
    cwd: folderOf(project.name),
    branch: random.pick(project.branches),
    title: task.title,
    model,
    turns,
  }

  function listAnswers(count: number, last: string): Answer[] {
    const answers: Answer[] = []
    for (let index = 1; index < count; index++) {
      clock += pauseMs ?? random.integer(12, 130) * 1000
      if (clock > endsBefore - 60_000) break
      const text = random.happens(0.4) ? random.pick(NARRATION) : ''
      const tool = createCall()
      answers.push({at: clock, id: random.hex(24), text, tool, tokens: nextTokens()})
      clock = tool.endedAt
    }
    clock += pauseMs ?? random.integer(5, 30) * 1000
    answers.push({at: clock, id: random.hex(24), text: last, tokens: nextTokens()})
    return answers
  }

  function createCall(): ToolCall {
    const took = random.integer(1, 9) * 150
    return {...pickTool(project, random), id: random.hex(22), endedAt: clock + took}
  }
}

function pickTool({reads, edits, commands}: Project, random: Random): Tool {
  if (random.happens(0.4)) return random.pick(commands)
  return random.happens(0.6) ? random.pick(reads) : random.pick(edits)
}

/** The context is sent again with each request, nearly all of it from the cache, and then compacted. */
function createTokens(random: Random): () => Tokens {
  let context = random.integer(14, 30) * 1000
  return () => {
    if (context > MAX_CONTEXT) context = 30_000
    const cacheRead = context
    const cacheWrite = random.integer(1500, 21_000)
    const output = random.integer(300, 7500)
    context += cacheWrite
    return {input: random.integer(3, 40), output, cacheRead, cacheWrite}
  }
}

const MAX_CONTEXT = 190_000
