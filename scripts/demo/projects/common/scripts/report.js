// Prints the tests as they end: what failed first of all.

const paint = (code, text) => (process.env.NO_COLOR ? text : `\x1b[${code}m${text}\x1b[39m`)

export default async function* report(source) {
  const failed = []
  const counts = {pass: 0, fail: 0}
  for await (const {type, data} of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const isSuite = data.details.type === 'suite'
    const isOk = type === 'test:pass'
    const time = paint(90, `(${Math.round(data.details.duration_ms)} ms)`)
    if (isSuite) {
      if (data.nesting === 0)
        yield `${paint(isOk ? 32 : 31, isOk ? '✔' : '✖')} ${data.name} ${time}\n`
      continue
    }
    counts[isOk ? 'pass' : 'fail'] += 1
    if (!isOk) failed.push(data)
    yield `  ${isOk ? paint(32, '✔') : paint(31, '✖')} ${data.name} ${time}\n`
  }
  for (const {name, details, file, line} of failed) {
    const {message, expected, actual} = details.error.cause ?? details.error
    yield `\n${paint(31, `✖ ${name}`)}\n  ${paint(90, `${file.replace(`${process.cwd()}/`, '')}:${line}`)}\n`
    yield `  ${String(message).split('\n')[0]}\n`
    if (expected !== undefined) {
      yield `  ${paint(32, `+ expected  ${JSON.stringify(expected)}`)}\n  ${paint(31, `- actual    ${JSON.stringify(actual)}`)}\n`
    }
  }
  const sum = [
    counts.fail && paint(31, `${counts.fail} failed`),
    counts.pass && paint(32, `${counts.pass} passed`),
  ]
  yield `\n${sum.filter(Boolean).join(', ')}\n`
}
