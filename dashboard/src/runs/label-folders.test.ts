import {expect, test} from 'vitest'
import {labelFolders} from './label-folders.ts'

test('labels folders by their last name, and longer where it is ambiguous', () => {
  const folders = ['/home/dev/app', '/home/dev/old/web', '/srv/web', '', 'C:\\code\\app2']
  expect(labelFolders(folders)).toEqual([
    ['/home/dev/app', 'app'],
    ['/home/dev/old/web', 'old/web'],
    ['/srv/web', 'srv/web'],
    ['C:\\code\\app2', 'app2'],
  ])
  expect(labelFolders(['/web', '/srv/web'])).toEqual([
    ['/web', '/web'],
    ['/srv/web', 'srv/web'],
  ])
})
