/** Whether one of these options is among the arguments, alone or with its value: `-o x`, `-ox`, `--out=x`. */
export function hasOption(args: readonly string[], ...names: string[]): boolean {
  return optionValue(args, ...names) !== undefined
}

/** The value of the first of these options; `undefined` when none is among the arguments. */
export function optionValue(args: readonly string[], ...names: string[]): string | undefined {
  const own = beforeSeparator(args)
  for (const [index, arg] of own.entries()) {
    if (names.includes(arg)) return own[index + 1] ?? ''
    const name = names.find((option) => arg.startsWith(option))
    if (name === undefined) continue
    if (arg[name.length] === '=') return arg.slice(name.length + 1)
    if (!name.startsWith('--')) return arg.slice(name.length)
  }
  return undefined
}

/**
 * Whether the arguments start no run: they ask for help, the version, or one of these other commands, which is the first
 * word that is neither an option nor the value of one.
 */
export function isOtherCommand(
  args: readonly string[],
  commands: string,
  valuedOptions = '',
): boolean {
  if (beforeSeparator(args).some((arg) => arg === '--help' || arg === '--version')) return true
  const word = firstWord(args, valuedOptions)
  return word !== undefined && commands.split(' ').includes(word)
}

/** The first argument that is neither an option nor the value of one of those that have values. */
export function firstWord(args: readonly string[], valuedOptions: string): string | undefined {
  const valued = new Set(valuedOptions.split(' '))
  const own = beforeSeparator(args)
  for (let index = 0; index < own.length; index++) {
    const arg = own[index] ?? ''
    if (valued.has(arg)) index++
    else if (!arg.startsWith('-')) return arg
  }
  return undefined
}

/** Arguments after `--` are not options. */
function beforeSeparator(args: readonly string[]): readonly string[] {
  const index = args.indexOf('--')
  return index === -1 ? args : args.slice(0, index)
}
