import {describe, expect, it} from 'vitest'
import {readFileChanges} from './read-file-changes.ts'

describe('readFileChanges', () => {
  const read = (input: unknown) => readFileChanges('Edit', input)
  const one = {kind: 'replace', path: 'a', before: 'x', after: 'y'}

  it('supports the field names of every agent', () => {
    expect(read({file_path: 'a', old_string: 'x', new_string: 'y'})).toMatchObject([one])
    expect(read({filePath: 'a', oldString: 'x', newString: 'y'})).toMatchObject([one])
    expect(read({path: 'a', old_str: 'x', new_str: 'y'})).toMatchObject([one])
    expect(read({path: 'a', edits: [{oldText: 'x', newText: 'y'}]})).toMatchObject([one])
    expect(
      read({file_path: 'a', edits: [{old_string: 'x', new_string: 'y', replace_all: true}]}),
    ).toMatchObject([{...one, isEverywhere: true}])
    for (const name of ['content', 'file_text', 'fileText']) {
      expect(readFileChanges('Write', {path: 'a', [name]: 'y'})).toMatchObject([
        {kind: 'write', path: 'a', after: 'y'},
      ])
    }
    expect(read({path: 'a', old_string: '', new_string: 'y'})).toMatchObject([
      {kind: 'write', after: 'y'},
    ])
    expect(read({path: 'a', insert_line: 3, new_str: 'y'})).toMatchObject([
      {before: '', after: 'y\n', start: 4},
    ])
    expect(read({notebook_path: 'a', new_source: 'y'})).toMatchObject([
      {kind: 'replace', after: 'y'},
    ])
  })

  it('parses the patch format with several files', () => {
    const patchText =
      '*** Begin Patch\n*** Add File: n\n+hello\n*** Update File: a\n*** Move to: b\n@@ f()\n same\n-x\n+y\n*** Delete File: g\n*** End Patch'
    expect(read({patchText})).toEqual([
      {kind: 'write', path: 'n', after: 'hello\n'},
      {kind: 'replace', path: 'b', before: 'same\nx\n', after: 'same\ny\n', start: undefined},
      {kind: 'delete', path: 'g'},
    ])
    expect(read(patchText)).toHaveLength(3)
    expect(
      read({
        changes: {
          a: {update: {unified_diff: '@@ -7,1 +7,1 @@\n-x\n+y\n'}},
          b: {add: {content: 'c'}},
          d: {delete: {content: 'e'}},
        },
      }),
    ).toMatchObject([
      {path: 'a', before: 'x\n', after: 'y\n', start: 7},
      {kind: 'write', path: 'b', after: 'c'},
      {kind: 'delete', path: 'd', before: 'e'},
    ])
    expect(
      read({
        changes: [
          {path: 'a', kind: 'update'},
          {path: 'b', kind: 'delete'},
        ],
      }),
    ).toEqual([
      {kind: 'unknown', path: 'a'},
      {kind: 'delete', path: 'b'},
    ])
  })

  it('returns nothing for input without changes', () => {
    for (const input of [
      undefined,
      null,
      1,
      'garbage',
      [],
      {},
      {path: 1},
      {changes: [1, {}]},
      {patchText: 'garbage'},
      {edits: []},
    ]) {
      expect(read(input)).toEqual([])
    }
    expect(readFileChanges('Bash', {path: 'a', content: 'b'})).toEqual([])
  })
})
