import fc from 'fast-check'
import {expect, test} from 'vitest'
import {matchesRule, parseRule} from './permissions.ts'
import {suggestRule} from './suggest-rule.ts'

const cwd = '/home/dev/project'

test.each([
  ['npm run migrate:dev', 'Bash(npm run migrate:*)'],
  ['npm run build', 'Bash(npm run build *)'],
  ['npm run build -- --watch 2>&1', 'Bash(npm run build *)'],
  ['npm test', 'Bash(npm test *)'],
  ['git push -u origin x', 'Bash(git push *)'],
  ['git -C x push', 'Bash(git -C x push)'],
  ['git', 'Bash(git)'],
  ['git config alias.x "!rm"', 'Bash(git config alias.x "!rm")'],
  ['cargo build --release', 'Bash(cargo build *)'],
  ['poetry run python x.py', 'Bash(poetry run python x.py)'],
  ['npm exec foo', 'Bash(npm exec foo)'],
  ['npx foo bar', 'Bash(npx foo bar)'],
  ['rm -rf build', 'Bash(rm -rf build)'],
  ['rm *.log', String.raw`Bash(rm \*.log)`],
  ['ls', 'Bash(ls)'],
  ['sudo git push', 'Bash(sudo git push)'],
  ['A=1 git push', 'Bash(A=1 git push)'],
  ['git push && rm x', 'Bash(git push && rm x)'],
  ['git push > log', 'Bash(git push > log)'],
  ['git push $X', 'Bash(git push $X)'],
  ['  ', undefined],
])('for %j it is %s', (command, expected) => {
  expect(suggestRule('Bash', {command})).toBe(expected)
})

test.each([
  ['Edit', {file_path: `${cwd}/src/refunds/create.ts`}, 'Edit(src/refunds/**)'],
  ['Write', {file_path: `${cwd}/src/new.ts`}, 'Edit(src/**)'],
  ['NotebookEdit', {notebook_path: `${cwd}/lab/a.ipynb`}, 'Edit(lab/**)'],
  ['Edit', {file_path: `${cwd}/package.json`}, 'Edit(package.json)'],
  ['Edit', {file_path: `${cwd}/.github/workflows/ci.yml`}, 'Edit(.github/workflows/ci.yml)'],
  ['Edit', {file_path: '/etc/hosts'}, 'Edit(/etc/hosts)'],
  ['Edit', {file_path: `${cwd}/src/../../x/y`}, 'Edit(/home/dev/x/y)'],
  ['Read', {file_path: '/etc/hosts'}, 'Read(/etc/hosts)'],
  ['Read', {file_path: `${cwd}/~/x`}, 'Read(/home/dev/project/~/x)'],
  ['WebFetch', {url: 'https://Docs.example.com/x?y'}, 'WebFetch(domain:docs.example.com)'],
  ['WebFetch', {url: 'https://a@b.example/'}, undefined],
  ['WebSearch', {query: 'x'}, 'WebSearch'],
  ['mcp__a__b', {}, 'mcp__a__b'],
  ['Edit', {}, undefined],
  ['Grep', {path: '/etc'}, undefined],
  ['AskUserQuestion', {}, undefined],
  ['Bash', {}, undefined],
])('for %s of %j it is %s', (name, input, expected) => {
  expect(suggestRule(name, input, {cwd})).toBe(expected)
})

test('without a folder it is the file, if that is known', () => {
  expect(suggestRule('Edit', {file_path: '/a/b'})).toBe('Edit(/a/b)')
  expect(suggestRule('Edit', {file_path: 'a/b'})).toBeUndefined()
})

test('it always covers what was asked', () => {
  const unit = fc.oneof(fc.constantFrom(...'git run:*\\;&|$()"\'\n~./'), fc.string({maxLength: 1}))
  const text = fc.string({unit})
  const request = fc.oneof(
    text.map((command) => ({name: 'Bash', input: {command}})),
    text.map((command) => ({name: 'Bash', input: {command: `npm run ${command}`}})),
    text.map((path) => ({name: 'Edit', input: {file_path: path}})),
    text.map((path) => ({name: 'Read', input: {file_path: `${cwd}/${path}`}})),
  )
  fc.assert(
    fc.property(request, ({name, input}) => {
      const rule = suggestRule(name, input, {cwd})
      if (rule === undefined) return
      expect(matchesRule(parseRule(rule), {name, input}, 'allow', {cwd})).toBe(true)
    }),
    {numRuns: 2000},
  )
})
