import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {composeChanges} from './compose-changes.ts'
import type {Hunk} from './diff-lines.ts'
import {mergeEdits} from './merge-edits.ts'
import type {FileEdit} from './file-edit.ts'

const edit = (before: string, after: string) => ({
  tool: 'Edit' as const,
  input: {file_path: 'a.ts', old_string: before, new_string: after},
})
const write = (content: string) => ({tool: 'Write' as const, input: {file_path: 'a.ts', content}})
const show = (hunks: Hunk[]) =>
  hunks.map(({lines}) => lines.map(({kind, text}) => `${SIGNS[kind]}${text}`))
const SIGNS = {same: ' ', add: '+', remove: '-'}

describe('composeChanges', () => {
  it('merges an edit into the text of an earlier one', () => {
    const {hunks, added, removed} = composeChanges([
      edit('one\n', 'two\nthree\n'),
      edit('three', 'four'),
    ])
    expect(show(hunks)).toEqual([['-one', '+two', '+four']])
    expect({added, removed}).toEqual({added: 2, removed: 1})
  })

  it('merges an edit around an earlier one', () => {
    const {hunks} = composeChanges([
      edit('const first = 1\n', 'const first = 2\n'),
      edit('start\nconst first = 2\nend\n', 'start\nconst first = 2\nconst more = 3\nend\n'),
    ])
    expect(show(hunks)).toEqual([
      [' start', '-const first = 1', '+const first = 2', '+const more = 3', ' end'],
    ])
  })

  it('merges an edit that overlaps an earlier one', () => {
    const {hunks} = composeChanges([
      edit('alpha\n', 'alpha of the changed kind\n'),
      edit('alpha of the changed kind\nbeta\n', 'alpha of the changed kind\nBETA\n'),
    ])
    expect(show(hunks)).toEqual([['-alpha', '-beta', '+alpha of the changed kind', '+BETA']])
  })

  it('drops an edit that was reverted', () => {
    expect(composeChanges([edit('one', 'two'), edit('two', 'one')]).hunks).toEqual([])
  })

  it('has line numbers once a file was written completely', () => {
    const {hunks, added} = composeChanges([write('a\nb\nc\n'), edit('b', 'B')])
    expect(show(hunks)).toEqual([['+a', '+B', '+c']])
    expect(hunks[0]?.lines.map(({after}) => after)).toEqual([1, 2, 3])
    expect(added).toBe(3)
  })

  it('puts an edit without a position into a hunk without line numbers', () => {
    const {hunks} = composeChanges([write('a\n'), edit('formatted', 'other')])
    expect(show(hunks)).toEqual([['+a'], ['-formatted', '+other']])
    expect(hunks[1]?.lines[0]?.before).toBeUndefined()
  })

  it('uses the line numbers of patches', () => {
    const patch = (diff: string) => ({
      tool: 'Edit' as const,
      input: {changes: {'a.ts': {update: {unified_diff: diff, move_path: null}}}},
    })
    const {hunks} = composeChanges([
      patch('@@ -10,1 +10,1 @@\n-ten\n+TEN\n'),
      patch('@@ -2,1 +2,3 @@\n two\n+2a\n+2b\n'),
    ])
    expect(hunks.map(({lines}) => lines.map(({before, after}) => [before, after]))).toEqual([
      [
        [2, 2],
        [undefined, 3],
        [undefined, 4],
      ],
      [
        [10, undefined],
        [undefined, 12],
      ],
    ])
  })

  it('uses only the part of a patch for the file', () => {
    const input = {
      patchText:
        '*** Begin Patch\n*** Add File: b.ts\n+b\n*** Update File: src/a.ts\n@@\n-a\n+A\n*** End Patch',
    }
    expect(
      show(composeChanges([{tool: 'Edit', input}], '/home/dev/project/src/a.ts').hunks),
    ).toEqual([['-a', '+A']])
  })

  it('is empty for a file that was created and deleted', () => {
    const gone = {tool: 'Edit' as const, input: {patch: '*** Delete File: a.ts\n'}}
    expect(composeChanges([write('a\n'), gone]).hunks).toEqual([])
  })
})

describe('mergeEdits', () => {
  /** A file of distinct lines, and edits that each match in one place. */
  const story = fc.array(fc.tuple(fc.nat(), fc.integer({min: 1, max: 4}), fc.nat({max: 4})), {
    maxLength: 12,
  })

  function play(steps: [number, number, number][]): {
    first: string
    last: string
    edits: FileEdit[]
  } {
    const first = Array.from({length: 20}, (_, at) => `the original line number ${at}\n`)
    let lines = first
    const edits: FileEdit[] = []
    for (const [step, [place, count, added]] of steps.entries()) {
      if (lines.length === 0) break
      const start = place % lines.length
      const old = lines.slice(start, start + count)
      const now = Array.from({length: added}, (_, at) => `a new line of step ${step} part ${at}\n`)
      edits.push({kind: 'replace', path: 'a', before: old.join(''), after: now.join('')})
      lines = lines.toSpliced(start, old.length, ...now)
    }
    return {first: first.join(''), last: lines.join(''), edits}
  }

  it('has the same result as applying the edits one by one', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const {first, last, edits} = play(steps)
        let text = first
        for (const {before, after} of mergeEdits(edits).parts) {
          expect(text.split(before)).toHaveLength(2)
          text = text.replace(before, () => after)
        }
        expect(text).toBe(last)
      }),
    )
  })

  it('is exact once a file was written completely', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const {first, last, edits} = play(steps)
        const {text: content, parts} = mergeEdits([
          {kind: 'write', path: 'a', after: first},
          ...edits,
        ])
        expect(parts).toEqual([])
        expect(content?.after).toBe(last)
      }),
    )
  })
})
