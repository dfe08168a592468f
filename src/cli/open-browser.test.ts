import {describe, expect, test} from 'vitest'
import {getBrowserCommand, canOpenBrowser} from './open-browser.ts'

const URL = 'http://127.0.0.1:4310/login?code=a&b|c'

describe('canOpenBrowser', () => {
  test.each([
    ['is true on macOS', {}, 'darwin', true],
    ['is true on Windows', {}, 'win32', true],
    ['is true with X', {DISPLAY: ':0'}, 'linux', true],
    ['is true with Wayland', {WAYLAND_DISPLAY: 'wayland-0'}, 'linux', true],
    ['is false without a display', {}, 'linux', false],
    ['is false with an empty DISPLAY', {DISPLAY: ''}, 'linux', false],
    ['is false in CI', {CI: 'true', DISPLAY: ':0'}, 'linux', false],
    ['is false over SSH', {SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}, 'darwin', false],
    ['is false in an SSH terminal', {SSH_TTY: '/dev/pts/1', DISPLAY: ':10'}, 'linux', false],
  ] as const)('%s', (_name, env, platform, isOpened) => {
    expect(canOpenBrowser(env, platform)).toBe(isOpened)
  })
})

test('getBrowserCommand passes the URL unchanged', () => {
  expect(getBrowserCommand(URL, 'darwin')).toEqual(['open', URL])
  expect(getBrowserCommand(URL, 'linux')).toEqual(['xdg-open', URL])
  expect(getBrowserCommand(URL, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', URL])
})
