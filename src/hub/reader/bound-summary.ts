import type {RunSummary} from '../../core/run/run-summary.ts'
import {cutText} from '../../core/text/text.ts'

const MAX_REQUESTS = 100
const MAX_TEXT_LENGTH = 1000
const MAX_NAME_LENGTH = 200

/**
 * Returns a summary with bounded texts: it is loaded for every list and published every second, and an agent may print
 * a plan or a model name of any length.
 */
export function boundSummary(summary: RunSummary): RunSummary {
  const {waiting, plan, requests, agentVersion, model, sessionId, phase} = summary
  return {
    ...summary,
    phase: cutText(phase, MAX_NAME_LENGTH),
    agentVersion: agentVersion && cutText(agentVersion, MAX_NAME_LENGTH),
    model: model && cutText(model, MAX_NAME_LENGTH),
    sessionId: sessionId && cutText(sessionId, MAX_NAME_LENGTH),
    waiting: waiting && {...waiting, detail: cutText(waiting.detail, MAX_TEXT_LENGTH)},
    plan: plan.map(({text, status}) => ({text: cutText(text, MAX_TEXT_LENGTH), status})),
    requests: requests.slice(0, MAX_REQUESTS).map(({requestId, name, askedAt}) => ({
      requestId: requestId && cutText(requestId, MAX_TEXT_LENGTH),
      name: cutText(name, MAX_NAME_LENGTH),
      askedAt,
    })),
  }
}
