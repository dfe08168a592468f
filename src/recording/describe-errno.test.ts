import {readFile} from 'node:fs/promises'
import {expect, test} from 'vitest'
import {describeErrno, errnoOf, isFileError} from './describe-errno.ts'

test('describes an error of the file system with its path', async () => {
  const error: unknown = await readFile('/no/such/file').catch((reason: unknown) => reason)
  expect([isFileError(error), errnoOf(error)]).toEqual([true, 'ENOENT'])
  expect(describeErrno(error)).toBe('/no/such/file: no such file or folder')
  expect(describeErrno(error, 'name')).toBe('name: no such file or folder')
})

test('describes any other value by its message', () => {
  expect(describeErrno(new Error('odd'))).toBe('odd')
  expect(describeErrno(Object.assign(new Error('odd'), {code: 'EODD'}), 'name')).toBe('name: odd')
  expect(describeErrno('odd')).toBe('odd')
  expect([isFileError(new Error('odd')), errnoOf('odd')]).toEqual([false, ''])
})
