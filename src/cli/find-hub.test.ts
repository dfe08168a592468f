import {expect, test} from 'vitest'
import {describeUnencryptedHub, parseHubUrl} from './find-hub.ts'

test('accepts the URL of a hub without a scheme or with a path', () => {
  expect(parseHubUrl('127.0.0.1:4310')).toBe('http://127.0.0.1:4310')
  expect(parseHubUrl('hub.example')).toBe('http://hub.example')
  expect(parseHubUrl('https://hub.example:4310/')).toBe('https://hub.example:4310')
})

test.each(['ftp://hub.example', 'ht!tp://hub', 'wss://hub.example', 'http://', 'hub example'])(
  'rejects %s as the URL of a hub',
  (text) => {
    expect(() => parseHubUrl(text)).toThrow(
      `--hub ${text}: not a URL. Expected one like http://127.0.0.1:4310`,
    )
  },
)

test.each([
  'http://127.0.0.1:4310',
  'http://localhost:4310',
  'http://vitrine.localhost',
  'http://[::1]:1',
  'https://hub.example',
])('sends the token to %s without a warning', (url) => {
  expect(describeUnencryptedHub(url)).toBe(undefined)
})

test.each(['http://hub.example:4310', 'http://10.0.0.1', 'http://127.0.0.1.example'])(
  'warns that the token is sent to %s without encryption',
  (url) => {
    expect(describeUnencryptedHub(url)).toContain(
      `--hub ${url}: the token and the output are sent without`,
    )
  },
)
