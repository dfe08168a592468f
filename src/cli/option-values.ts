import {InvalidArgumentError} from 'commander'

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** The longest delay of a timer, more than three weeks. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Parses a duration: seconds, or `90s`, `10m`, `2h`. */
export function parseDuration(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h|d)?$/.exec(text.trim()) ?? []
  const ms = Number(number) * (UNITS[unit] ?? 0)
  if (number !== '' && ms > 0) return Math.min(ms, MAX_TIMER_MS)
  throw new InvalidArgumentError('Expected a duration above 0: seconds, or 90s, 10m, 2h.')
}

/** Parses a time since the start of a run: `9:12`, `1:02:03`, or a duration. */
export function parseMoment(text: string): number {
  const parts = /^(?:(\d+):)?(\d+):([0-5]\d)$/.exec(text.trim())
  if (parts === null) return text.trim() === '0' ? 0 : parseDuration(text)
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
}

/** Parses an amount of money: `5`, `0.50` or `$5`. */
export function parseMoney(text: string): number {
  const [, number = ''] = /^\$?(\d+(?:\.\d+)?|\.\d+)$/.exec(text.trim()) ?? []
  if (number !== '' && Number(number) > 0) return Number(number)
  throw new InvalidArgumentError('Expected an amount in US dollars above 0, such as 5 or 0.50.')
}

/** Parses a count of at least 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number above 0.')
}

/** Parses a count that may be 0. */
export function parseCountOrZero(text: string): number {
  if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Expected a whole number of at least 0.')
}

/** Parses a port; 0 stands for a free one. */
export function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Expected a number from 0 to 65535.')
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

/** Parses a replay speed. */
export function parseSpeed(text: string): number {
  const speed = Number(text)
  if (speed > 0) return speed
  throw new InvalidArgumentError('Expected a number above 0, such as 2 or 0.5.')
}
