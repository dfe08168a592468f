import {expect, test} from 'vitest'
import {toUrl} from './hub-place.ts'

test('the URL of a hub is taken as people type it', () => {
  expect(toUrl('127.0.0.1:4310')).toBe('http://127.0.0.1:4310')
  expect(toUrl('hub.example')).toBe('http://hub.example')
  expect(toUrl('https://hub.example:4310/')).toBe('https://hub.example:4310')
})

test.each(['ftp://hub.example', 'ht!tp://hub', 'wss://hub.example', 'http://', 'hub example'])(
  'what is no URL of a hub is no hub: %s',
  (text) => {
    expect(() => toUrl(text)).toThrow(`--hub ${text}: not a URL, such as http://127.0.0.1:4310`)
  },
)
