import type {StderrStatus} from '../../core/events/adapter.ts'

/** `Attempt 1 failed with status 503. Retrying with backoff...`, `Attempt 2 failed: <reason>. Retrying after 5100ms...` */
const RETRY =
  /^Attempt (\d+) failed(?: with (?:status )?(.*?))?(?:: (.*))?\. Retrying (?:with backoff|after (\d+)ms)\.\.\./

/** Reads a retry, which Gemini CLI reports on stderr only. */
export function readStderr(line: string): StderrStatus | undefined {
  const [match, attempt, status, reason, delayMs] = RETRY.exec(line) ?? []
  if (match === undefined) return undefined
  return {
    status: 'api-retry',
    detail: reason ?? (status === undefined ? 'request failed' : `HTTP ${status}`),
    attempt: Number(attempt),
    delayMs: delayMs === undefined ? undefined : Number(delayMs),
  }
}
