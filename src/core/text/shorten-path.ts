/** Shows paths, one or several with commas between, from the folder that a run works in. Other paths are unchanged. */
export function shortenPath(text: string, cwd: string | undefined): string {
  const folder = cwd?.replace(/[\\/]+$/, '') ?? ''
  if (folder === '' || !text.includes(folder)) return text
  const paths = text.split(', ').map((path) => {
    if (!path.startsWith(folder)) return path
    if (path.length === folder.length) return '.'
    return /^[\\/]/.test(path.slice(folder.length)) ? path.slice(folder.length + 1) : path
  })
  return paths.join(', ')
}
