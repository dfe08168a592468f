/** Tells whether one of these options is among the arguments, alone or with its value: `-o x`, `--out=x`. */
export function hasOption(args: readonly string[], ...names: string[]): boolean {
  return beforeSeparator(args).some((arg) =>
    names.some((name) => arg === name || arg.startsWith(`${name}=`)),
  )
}

/** The value of the first of these options that is there; `undefined` when none is. */
export function optionValue(args: readonly string[], ...names: string[]): string | undefined {
  const own = beforeSeparator(args)
  for (const [index, arg] of own.entries()) {
    if (names.includes(arg)) return own[index + 1] ?? ''
    const name = names.find((option) => arg.startsWith(`${option}=`))
    if (name !== undefined) return arg.slice(name.length + 1)
  }
  return undefined
}

/** What follows `--` is not for the program to read as options. */
function beforeSeparator(args: readonly string[]): readonly string[] {
  const index = args.indexOf('--')
  return index === -1 ? args : args.slice(0, index)
}
