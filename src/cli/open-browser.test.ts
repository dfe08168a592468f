import {describe, expect, test} from 'vitest'
import {getBrowserCommand, canOpenBrowser} from './open-browser.ts'

const URL = 'http://127.0.0.1:4310/login?code=a&b|c'

describe('a browser is opened', () => {
  test.each([
    ['on a Mac', {}, 'darwin', true],
    ['on Windows', {}, 'win32', true],
    ['with X', {DISPLAY: ':0'}, 'linux', true],
    ['with Wayland', {WAYLAND_DISPLAY: 'wayland-0'}, 'linux', true],
    ['but not without a screen', {}, 'linux', false],
    ['but not with a screen that has no name', {DISPLAY: ''}, 'linux', false],
    ['but not in CI', {CI: 'true', DISPLAY: ':0'}, 'linux', false],
    ['but not over SSH', {SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}, 'darwin', false],
    ['but not in a terminal over SSH', {SSH_TTY: '/dev/pts/1', DISPLAY: ':10'}, 'linux', false],
  ] as const)('%s', (_name, env, platform, isOpened) => {
    expect(canOpenBrowser(env, platform)).toBe(isOpened)
  })

  test('by a program that gets the link as it is', () => {
    expect(getBrowserCommand(URL, 'darwin')).toEqual(['open', URL])
    expect(getBrowserCommand(URL, 'linux')).toEqual(['xdg-open', URL])
    expect(getBrowserCommand(URL, 'win32')).toEqual([
      'rundll32',
      'url.dll,FileProtocolHandler',
      URL,
    ])
  })
})
