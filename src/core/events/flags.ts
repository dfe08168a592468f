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

/** Arguments after `--` are not options. */
export function beforeSeparator(args: readonly string[]): readonly string[] {
  const index = args.indexOf('--')
  return index === -1 ? args : args.slice(0, index)
}
