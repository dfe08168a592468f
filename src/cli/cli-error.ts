/** Something the user can put right: told in a line, exit code 2. */
export class CliError extends Error {
  override name = 'CliError'
}
