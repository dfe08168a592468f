import {expect, test} from 'vitest'
import {shortenPath} from './shorten-path.ts'

test.each([
  ['/home/dev/app/src/a.ts', '/home/dev/app', 'src/a.ts'],
  ['/home/dev/app', '/home/dev/app', '.'],
  ['/home/dev/app/', '/home/dev/app/', ''],
  ['/home/dev/app2/a.ts', '/home/dev/app', '/home/dev/app2/a.ts'],
  ['/etc/passwd', '/home/dev/app', '/etc/passwd'],
  ['/home/dev/app/a, /tmp/b, /home/dev/app/c', '/home/dev/app', 'a, /tmp/b, c'],
  ['C:\\app\\src\\a.ts', 'C:\\app', 'src\\a.ts'],
  ['/a', '/', '/a'],
  ['/a', undefined, '/a'],
])('%s in %s is %s', (text, cwd, shown) => {
  expect(shortenPath(text, cwd)).toBe(shown)
})
