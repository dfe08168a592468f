/** @import {Finding} from './check.js' */

/**
 * @typedef {{file: string, text: string, reason: string}} Allowed `file`: a path, or a folder when it ends with `/`
 */

/**
 * Quotes and names of others that contain a word of the rules.
 *
 * @type {readonly Allowed[]}
 */
const ALLOWED = [
  {
    file: 'bench/soak-stories.js',
    text: 'look-and-fetch',
    reason: 'name of a recording of the demo',
  },
  {file: 'scripts/agents/cases-figures.js', text: 'innermost door', reason: 'prompt for an agent'},
  {file: 'scripts/agents/cases-figures.js', text: 'middle door', reason: 'prompt for an agent'},
  {
    file: 'src/hub/reader/run-publisher.ts',
    text: "'not whole'",
    reason: 'stored in existing indexes',
  },
]

export function createAllowList(entries = ALLOWED) {
  /** @type {Set<Allowed>} */
  const used = new Set()
  return {
    /**
     * Whether the text of an entry covers a finding.
     *
     * @param {string} path
     * @param {string} source
     * @param {Pick<Finding, 'offset' | 'length'>} finding
     */
    covers(path, source, {offset, length}) {
      const found = entries.find(({file, text}) => {
        if (file !== path && !(file.endsWith('/') && path.startsWith(file))) return false
        const start = source.lastIndexOf(text, offset)
        return start >= 0 && start + text.length >= offset + length
      })
      if (found !== undefined) used.add(found)
      return found !== undefined
    },
    listUnused: () => entries.filter((entry) => !used.has(entry)),
  }
}
