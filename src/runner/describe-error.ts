/** Sequences that colour text and the like. */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g

/** Words that tell a reason from what is said around it. */
const TELLS =
  /\b(?:error|fatal|failed|failure|denied|invalid|unknown|cannot|exceeded|reached|not)\b/i

/** What a program that failed says of the reason, out of the end of what it printed on stderr. */
export function describeError(stderr: string): string {
  const lines = stderr
    .replaceAll(ESCAPES, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at |^\W+$/.test(line))
  return lines.findLast((line) => TELLS.test(line)) ?? lines.at(-1) ?? ''
}
