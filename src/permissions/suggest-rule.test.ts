import fc from 'fast-check'
import {expect, test} from 'vitest'
import {matchesRule, parseRule} from './rules.ts'
import {suggestRule} from './suggest-rule.ts'

const cwd = '/home/dev/project'

test.each([
  ['git commit -m x', 'Bash(git commit *)'],
  ['git add src', 'Bash(git add *)'],
  ['git status 2>&1', 'Bash(git status *)'],
  ['npm run migrate:dev', 'Bash(npm run migrate:dev)'],
  ['npm run build', 'Bash(npm run build)'],
  ['npm run build -- --watch 2>&1', 'Bash(npm run build -- --watch 2>&1)'],
  ['git -C x push', 'Bash(git -C x push)'],
  ['git', 'Bash(git)'],
  ['git config alias.x "!rm"', 'Bash(git config alias.x "!rm")'],
  ['poetry run python x.py', 'Bash(poetry run python x.py)'],
  ['npm exec foo', 'Bash(npm exec foo)'],
  ['npx foo bar', 'Bash(npx foo bar)'],
  ['rm -rf build', 'Bash(rm -rf build)'],
  ['rm *.log', String.raw`Bash(rm \*.log)`],
  ['ls', 'Bash(ls)'],
  ['sudo git add x', 'Bash(sudo git add x)'],
  ['A=1 git add x', 'Bash(A=1 git add x)'],
  ['git add x && rm x', 'Bash(git add x && rm x)'],
  ['git add x > log', 'Bash(git add x > log)'],
  ['git add $X', 'Bash(git add $X)'],
  ['constructor toString', 'Bash(constructor toString)'],
  ['  ', undefined],
])('suggests for %j the rule %s', (command, expected) => {
  expect(suggestRule('Bash', {command})).toBe(expected)
})

test.each([
  ['git push origin main', 'git push --receive-pack=evil . HEAD:refs/heads/x'],
  ['git fetch origin', 'git fetch --upload-pack=evil .'],
  ['git pull', 'git pull --upload-pack=evil .'],
  ['git ls-remote', 'git ls-remote --upload-pack=evil .'],
  ['git clone URL', 'git clone -u evil . x'],
  ['git clone URL', 'git clone -c protocol.ext.allow=always ext::evil'],
  ['git grep foo', 'git grep -Oevil foo'],
  ['git archive HEAD', 'git archive --remote=. --exec=evil HEAD'],
  ['git difftool', 'git difftool -y -x evil HEAD~1'],
  ['git log -3', 'git log --output=.bashrc'],
  ['git diff', 'git diff --output=.bashrc'],
  ['git show', 'git show --output=.bashrc'],
  ['git blame x', 'git blame --output=.bashrc'],
  ['git shortlog', 'git shortlog --output=.bashrc'],
  ['git stash show', 'git stash show --output=.bashrc'],
  ['git reflog', 'git reflog --output=.bashrc'],
  ['git init', 'git init --template=hooks'],
  ['git merge x', 'git merge -s evil x'],
  ['git rebase main', 'git rebase -x evil main'],
  ['git bisect start', 'git bisect run evil'],
  ['git submodule update', 'git submodule foreach evil'],
  ['go build ./...', 'go build -toolexec=evil ./...'],
  ['go test ./...', 'go test -exec=evil ./...'],
  ['go vet ./...', 'go vet -vettool=evil ./...'],
  ['cargo build --release', 'cargo build --config build.rustc-wrapper="evil"'],
  ['cargo test', 'cargo test --config target.x.runner="evil"'],
  ['npm test', 'npm test --script-shell=evil'],
  ['npm run build', 'npm run build --script-shell=evil'],
  ['npm run migrate:dev', 'npm run migrate:dev --prefix evil'],
  ['pnpm install', 'pnpm install --config.script-shell=evil'],
  ['yarn build', 'yarn build --cwd evil'],
  ['bun run build', 'bun run build --cwd evil'],
  ['hg log', 'hg log --config hooks.pre-log=evil'],
  ['jj log', 'jj log --config ui.pager=evil'],
  ['pip install x', 'pip install ./evil'],
  ['svn status', 'svn status --config-option=config:helpers:diff-cmd=evil'],
])('the rule suggested for %j does not cover %j', (command, other) => {
  const rule = parseRule(suggestRule('Bash', {command}) ?? '')
  expect(matchesRule(rule, {name: 'Bash', input: {command}}, 'allow')).toBe(true)
  expect(matchesRule(rule, {name: 'Bash', input: {command: other}}, 'allow')).toBe(false)
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
  ['mcp__a__*', {}, undefined],
  ['mcp__a', {}, undefined],
  ['Edit', {}, undefined],
  ['Grep', {path: '/etc'}, undefined],
  ['AskUserQuestion', {}, undefined],
  ['Bash', {}, undefined],
])('suggests for %s of %j the rule %s', (name, input, expected) => {
  expect(suggestRule(name, input, {cwd})).toBe(expected)
})

test('suggests the file itself without a working directory', () => {
  expect(suggestRule('Edit', {file_path: '/a/b'})).toBe('Edit(/a/b)')
  expect(suggestRule('Edit', {file_path: 'a/b'})).toBeUndefined()
})

test('the suggested rule always covers the request', () => {
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
