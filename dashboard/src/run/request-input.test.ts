import {createElement} from 'react'
import {renderToStaticMarkup} from 'react-dom/server'
import {expect, test} from 'vitest'
import type {JsonObject} from '../../../src/core/wire/json.ts'
import {RequestInput} from './request-input.tsx'

test('shows every edit of a request, so that none is allowed unseen', () => {
  const text = render({
    file_path: '/src/a.ts',
    edits: [
      {old_string: 'one', new_string: 'two'},
      {old_string: 'three', new_string: 'four', replace_all: true},
    ],
  })
  for (const word of ['/src/a.ts', 'one', 'two', 'three', 'four']) expect(text).toContain(word)
  expect(text).toContain('every occurrence')
})

test('shows every file of a patch', () => {
  const patch = `*** Begin Patch
*** Update File: a.ts
@@
-one
+two
*** Add File: b.ts
+three
*** Delete File: c.ts
*** End Patch`
  const text = render({patch})
  for (const word of ['a.ts', 'one', 'two', 'b.ts', 'three', 'c.ts', 'Delete'])
    expect(text).toContain(word)
})

test('shows the complete input when an edit cannot be shown as a diff', () => {
  expect(render({file_path: '/src/a.ts', mode: 'delete-all'})).toContain('delete-all')
})

function render(input: JsonObject): string {
  const request = {tool: 'Edit', name: 'Edit', input} as const
  return renderToStaticMarkup(createElement(RequestInput, {request})).replaceAll(/<[^>]*>/g, '')
}
