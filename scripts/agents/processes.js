import {readdirSync, readFileSync} from 'node:fs'

/** The processes of this machine, with the words of their commands joined by spaces. */
export function listProcesses() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({pid: Number(pid), command: commandOf(pid)}))
}

/** @param {string} pid */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}
