/** A path as those say it who are in the folder of the run. */
export function shortenPath(text: string, cwd: string | undefined): string {
  if (cwd === undefined || cwd === '') return text
  if (text === cwd) return '.'
  return text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text
}
