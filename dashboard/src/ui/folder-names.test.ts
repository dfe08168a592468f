import {expect, test} from 'vitest'
import {nameFolder, nameFolders} from './folder-names.ts'

test('names a folder by its last name, or more when two would have the same name', () => {
  const paths = ['/home/dev/ledger-api', '/home/dev/web/api', '/srv/api', 'C:\\work\\site', '', '/']
  const names = nameFolders(paths)
  expect(paths.map((path) => names.get(path))).toEqual([
    'ledger-api',
    'web/api',
    'srv/api',
    'site',
    'No folder',
    '/',
  ])
  expect([...nameFolders(['/web', '/srv/web']).values()]).toEqual(['web', 'srv/web'])
})

test('names one folder by its last name', () => {
  expect(['/home/dev/app/', 'C:\\code\\app2', '/', ''].map(nameFolder)).toEqual([
    'app',
    'app2',
    '/',
    '',
  ])
})

test('escapes control characters of folder names', () => {
  expect(nameFolder('/a\u001B[31mb')).not.toContain('\u001B')
  expect(nameFolders(['/a\u001B[31mb']).get('/a\u001B[31mb')).not.toContain('\u001B')
})
