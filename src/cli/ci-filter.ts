import {fstatSync} from 'node:fs'

/** Filters the bytes of a program on their way to stdout or stderr. */
export interface PassThrough {
  /** Returns the bytes to write now; a possible start of a marker is held back for the next chunk. */
  push(chunk: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** Creates a filter for the log of a CI runner, or one that changes nothing elsewhere. */
export function createPassThrough(fd: 1 | 2, env: NodeJS.ProcessEnv = process.env): PassThrough {
  const isLog = isCiRunner(env) && !fstatSync(fd).isFile()
  return isLog ? createCiFilter() : {push: (chunk) => chunk, end: () => new Uint8Array()}
}

/** Whether a CI runner executes commands that it finds in the output. */
function isCiRunner(env: NodeJS.ProcessEnv): boolean {
  return ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION', 'GITLAB_CI'].some((name) => env[name])
}

/**
 * Creates a filter that breaks the commands of CI runners, and changes no other byte: `##vso[` and `##[` of Azure
 * Pipelines and GitHub, `##teamcity[`, `::` at the start of a line of GitHub, `section_start:` of GitLab.
 */
export function createCiFilter(): PassThrough {
  let held = ''
  let isLineStart = true

  const filter = (text: string): Uint8Array => {
    // The character in front shows whether the text starts a line.
    const before = isLineStart ? '\n' : 'x'
    const broken = (before + text)
      .replaceAll(SHARPS, '$& ')
      .replaceAll(COLONS, '$1 ')
      .replaceAll(SECTION, '$& ')
      .slice(1)
    if (text !== '') isLineStart = LINE_START.test(before + text)
    return Buffer.from(broken, 'latin1')
  }

  return {
    push(chunk) {
      const text = held + Buffer.from(chunk).toString('latin1')
      const before = isLineStart ? '\n' : 'x'
      const at = Math.max(0, (before + text).search(UNFINISHED) - 1)
      const isHeld = UNFINISHED.test(before + text) && text.length - at <= MAX_HELD_BYTES
      held = isHeld ? text.slice(at) : ''
      return filter(isHeld ? text.slice(0, at) : text)
    },
    end() {
      const rest = held
      held = ''
      return filter(rest)
    },
  }
}

/** Bytes above 0x7f may be characters that a CI runner skips when it looks for commands. */
const SHARPS = /#[\x80-\xff]*#(?=[A-Za-z\x80-\xff]{0,80}\[)/g
const COLONS = /([\n\r][ \t\v\f\x80-\xff]*:(?=[\x80-\xff]*:))/g
const SECTION = /section_(?:start|end)(?=:)/g
const LINE_START = /[\n\r][ \t\v\f\x80-\xff]*$/
/** A possible start of a marker at the end of a chunk. */
const UNFINISHED =
  /(?:#[\x80-\xff]*(?:#[A-Za-z\x80-\xff]{0,80})?|[\n\r][ \t\v\f\x80-\xff]*:[\x80-\xff]*|s(?:ection_(?:start|end)|ec?t?i?o?n?_?(?:st?a?r?|en?)?)?)$/
const MAX_HELD_BYTES = 4096
