import {expect, it} from 'vitest'
import {describeLink} from './describe-link.ts'

it('allows only web and mail links', () => {
  const urlOf = (href: string) => describeLink(href, 'x').url
  expect(urlOf('https://a.example/b')).toBe('https://a.example/b')
  expect(urlOf('mailto:a@b.example')).toBe('mailto:a@b.example')
  for (const href of [
    'javascript:x',
    ' JavaScript:x',
    'java\nscript:x',
    'data:text/html,x',
    'file:///x',
    '//a.example',
    'x',
    'blob:https://a.example/x',
    `https://${'a'.repeat(3000)}.example`,
  ]) {
    expect(urlOf(href)).toBeUndefined()
  }
})

it('shows the target of a link when its text does not', () => {
  const hostOf = (href: string, words: string) => describeLink(href, words).host
  expect(hostOf('https://a.example/', 'https://a.example')).toBeUndefined()
  expect(hostOf('http://www.a.example', 'www.a.example')).toBeUndefined()
  expect(hostOf('mailto:a@b.example', 'a@b.example')).toBeUndefined()
  expect(hostOf('https://a.example/', 'docs')).toBe('a.example')
  expect(hostOf('https://b.example/?https://a.example', 'https://a.example')).toBe('b.example')
  expect(hostOf('https://a.example@b.example/', 'https://a.example@b.example/')).toBe('b.example')
  expect(hostOf('https://\u0430.example/', 'https://\u0430.example/')).toBe('xn--80a.example')
})
