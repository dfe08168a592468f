/** @import {Kind} from './extract.js' */

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} use What to write instead
 * @property {RegExp} pattern A space in it matches any white space, a line break in a comment too. For identifiers it is matched against their words: `max tools` of `maxTools`, `MAX TOOLS` of `MAX_TOOLS`
 * @property {readonly Kind[]} [kinds] All kinds by default
 * @property {RegExp} [paths] The files that the rule applies to, all by default
 * @property {boolean} [startsSentence] Whether it only applies at the start of a sentence that is not a question
 */

/** @type {readonly Kind[]} */
const TEXTS = ['prose', 'comments', 'tests']
/** @type {readonly Kind[]} */
const NAMES = ['identifiers']

/**
 * Words of a private dialect and the standard terms that replace them.
 *
 * @type {readonly Rule[]}
 */
export const RULES = [
  {
    name: 'tell',
    use: 'emit, report, print, log, detect or distinguish; "Whether …" for a predicate',
    pattern: /\b(?:fore|re)?(?:tells?|telling|told|tellers?)\b/i,
  },
  {
    name: 'say',
    use: 'report, print, send, state or contain',
    pattern: /\b(?:say|says|said|saying)\b/i,
    kinds: ['comments', 'tests', 'identifiers'],
  },
  {
    name: 'say',
    use: 'report, print, send, state or contain',
    pattern:
      /(?<!\buser )\b(?:says|said|saying)\b|\b(?:agents|clients|lines|models|programs|that|they|tools|types|versions|never|not) say\b/i,
    kinds: ['prose'],
  },
  {
    name: 'hear',
    use: 'receive, listen or subscribe',
    pattern: /\b(?:over)?(?:hear|hears|heard|hearing)\b/i,
  },
  {
    name: 'speak',
    use: 'send, write, communicate or connect',
    pattern: /\bspoken\b|\b(?:speaks?|spoke) (?:to|with|of|after|at)\b/i,
    kinds: TEXTS,
  },
  {
    name: 'speak',
    use: 'send, write or connect',
    pattern: /\b(?:spoken|speaks?|talks?)\b/i,
    kinds: NAMES,
  },
  {
    name: 'speech',
    use: 'text, message or deduplicate',
    pattern: /\bspeech(?:es)?\b/i,
  },
  {name: 'anew', use: 'again or from scratch', pattern: /\banew\b/i},
  {
    name: 'nobody, somebody',
    use: 'no client, no process, someone, a user, or the passive',
    pattern: /\b(?:nobody|somebody)\b/i,
  },
  {
    name: 'whoever, whatever',
    use: 'a noun: the client that, any value that',
    pattern:
      /\bwho(?:m)?ever\b|\b(?:among|by|for|from|in|of|on|to|with|within) whatever\b(?! reason)|(?<!, )\bwhatever (?:is|was|are|comes?|came|takes|runs|held|has|goes|stands|holds|needs|wants)\b|\bwhatever (?:becomes?|became)\b/i,
  },
  {
    name: 'who',
    use: 'a noun and "that": programs and data are "it"',
    pattern: /\bWho\b/i,
    kinds: TEXTS,
    startsSentence: true,
  },
  {
    name: 'who',
    use: 'a noun and "that": programs and data are "it"',
    pattern:
      /\bwhom\b|\b(?:all|any|each|most|one|ones|others|several|those) who\b|(?<!\bto (?:an?|the) )\b(?:agents?|browsers?|clients?|hubs?|models?|process(?:es)?|programs?|readers?|runs?|runners?|servers?|sessions?|supervisors?|threads?|tools?|workers?),? who\b|\b(?:at|by|for|from|of|to|with) who\b|[:;] who\b|\bwhose (?:\w+ )?it is\b/i,
    kinds: TEXTS,
  },
  {
    name: 'what',
    use: 'a noun: no free relative clause as a subject',
    pattern: /\bWhat\b(?! (?:changed|happened|to)\b)/i,
    kinds: TEXTS,
    startsSentence: true,
  },
  {
    name: 'what',
    use: 'a noun: no free relative clause as an object',
    pattern:
      /\b(?:after|before|behind|by|for|from|of|than|to|where|with) what (?:is|was|are|were|has|had|comes?|came|goes|holds|stands|becomes?|became)\b|\b(?:gives?|makes?) what\b|\bthat which\b/i,
    kinds: TEXTS,
  },
  {
    name: 'so many, so long',
    use: 'at most, how many, how long, or the number',
    pattern: /\bso (?:few|long(?! as\b)|many|much|often)\b(?!(?:\s+\S+){0,3} that\b)/i,
    kinds: TEXTS,
  },
  {
    name: 'much',
    use: 'many events, a lot of output, under load',
    pattern: /\b(?:if|once|until|when|where|while) much\b|\bmuch comes\b/i,
    kinds: TEXTS,
  },
  {name: 'at rest', use: 'idle or quiescent', pattern: /\bat rest\b/i},
  {
    name: 'give out',
    use: 'emit, publish, serve, stream or allocate',
    pattern: /\b(?:give|gives|giving|given|gave) out\b/i,
  },
  {
    name: 'take in',
    use: 'receive, read or ingest',
    pattern: /\b(?:take|takes|taking|taken|took) in\b(?! (?:order|place|turns?)\b)/i,
  },
  {
    name: 'is another',
    use: 'changed, differs or was modified',
    pattern:
      /\b(?:are|be|been|becomes?|is|was|were) another(?=\s*(?:$|[.,;:)]|(?:and|as|by|for|now|or|than|then|too|when|whenever|while)\b))/i,
    kinds: TEXTS,
  },
  {
    name: 'is none',
    use: 'is not one, is not a …, or invalid',
    pattern: /(?<!there )\b(?:are|is|was|were) none\b(?! of\b)/i,
    kinds: TEXTS,
  },
  {name: 'mend', use: 'fix, repair or normalize', pattern: /\bmend(?:s|ed|ing)?\b/i},
  {
    name: 'harmless',
    use: 'escape, escaped or safe',
    pattern:
      /\b(?:make|makes|making|made)(?: \S+){0,3} harmless\b|\bharmless to print\b|\bshort and harmless\b|^harmless$/i,
  },
  {name: 'whole', use: 'complete or full', pattern: /\bwhole(?:ness)?\b/i, kinds: NAMES},
  {
    name: 'whole',
    use: 'complete, completely or in full',
    pattern:
      /\bwholeness\b|\b(?:are|be|but|came|comes?|is|not|once|seen|shown|stays?|was|were) whole(?=\s*(?:$|[.,;:)]|(?:again|and|at|in|now|or|when)\b))/i,
    kinds: TEXTS,
  },
  {name: 'novelty', use: 'drift', pattern: /\bnovelt(?:y|ies)\b/i},
  {name: 'heir', use: 'successor or takeover', pattern: /\bheirs?\b/i},
  {name: 'bookkeeper', use: 'recorder', pattern: /\bbookkeep\w*|\bbooks\b/i},
  {name: 'desk', use: 'permission broker, transport', pattern: /\b(?:desks?|offices?)\b/i},
  {name: 'doors', use: 'auth, access check', pattern: /\bdoors?\b/i},
  {
    name: 'guard',
    use: 'auth, access check',
    pattern: /^(?:create )?guards?(?: options)?$|^permits?$/i,
    kinds: NAMES,
  },
  {
    name: 'guard',
    use: 'auth, access check',
    pattern: /\bthe guards? (?:at|lets?|of)\b/i,
    kinds: TEXTS,
  },
  {
    name: 'sought',
    use: 'search index, searchable, row id',
    pattern: /\b(?:derivers?|seekers?|sought|spots?)\b/i,
  },
  {name: 'intake', use: 'indexer or reader', pattern: /\bintakes?\b/i},
  {name: 'outlet', use: 'sink or publisher', pattern: /\boutlets?\b/i},
  {name: 'giver, gift', use: 'publisher, message', pattern: /\b(?:givers?|gifts?)\b/i},
  {name: 'rehearse', use: 'warm up', pattern: /\b(?:rehears\w+|practis\w+)\b|^practice/i},
  {name: 'unsettled', use: 'pending', pattern: /\bunsettled\b/i},
  {name: 'whereabouts', use: 'supervision state', pattern: /\bwhereabouts\b/i},
  {
    name: 'conversation',
    use: 'control channel',
    pattern: /\bconversations?\b/i,
    paths: /^src\/runner\/(?!hook)/,
  },
  {
    name: 'look',
    use: 'poll, scan, view, read or style',
    pattern: /\blooks?\b(?! (?:up|ahead|behind|around|like)\b)/i,
    kinds: NAMES,
  },
  {
    name: 'look',
    use: 'poll, scan, view or read',
    pattern: /\b(?:a|an|another|each|every|first|last|next|per|the) look\b(?!-| up)/i,
    kinds: TEXTS,
  },
  {
    name: 'look after',
    use: 'supervise or monitor',
    pattern: /\blook(?:s|ed|ing)? after\b/i,
    kinds: TEXTS,
  },
  {
    name: 'piece',
    use: 'chunk, part, segment or delta',
    pattern: /(?<!\bin one )\bpieces?\b(?! of (?:code|software|work)\b)/i,
  },
  {
    name: 'folder of a run',
    use: 'recording, recording directory or working directory',
    pattern: /\bfolders? of (?:an?|each|every|its|one|the) (?:recording|run)s?\b/i,
    kinds: TEXTS,
  },
  {name: 'needy, unbegun', use: 'needs attention, empty run', pattern: /\b(?:needy|unbegun)\b/i},
  {
    name: 'stand-in',
    use: 'fake or placeholder',
    pattern: /\bstand-ins?\b|\bstand in\b(?! (?:an?|the)\b)/i,
  },
  {name: 'housekeeping', use: 'prune or clean up', pattern: /\bhousekeeping\b/i},
  {name: 'remark', use: 'notice, warning or log', pattern: /\bremarks?\b/i},
  {name: 'strangers', use: 'unauthenticated connections', pattern: /\bstrangers?\b/i},
  {
    name: 'room',
    use: 'drain, backpressure or capacity',
    pattern: /^room$|\bhas room\b/i,
    kinds: NAMES,
    paths: /^src\/(?:cli|hub|runner)\//,
  },
  {
    name: 'room',
    use: 'drain, backpressure or capacity',
    pattern: /\b(?:has|until there is|waits? for|when there is) room\b/i,
    kinds: TEXTS,
    paths: /^src\/(?:cli|hub|runner)\//,
  },
  {
    name: 'MOST_, LONGEST_, SHORTEST_',
    use: 'MAX_… or MIN_…',
    pattern:
      /\b(?:MOST|LONGEST|FEWEST|SHORTEST)\b|^most(?! (?:common|likely|recent|specific|used)\b)/,
    kinds: NAMES,
  },
  {name: 'PATIENCE_', use: '…_TIMEOUT_MS', pattern: /\bpatien(?:ce|t)\b/i, kinds: NAMES},
  {
    name: 'APART_MS, REST_MS',
    use: '…_INTERVAL_MS, THROTTLE_MS or DEBOUNCE_MS',
    pattern: /\b(?:apart|rest) ms\b|^apart$/i,
    kinds: NAMES,
  },
  {
    name: 'NEAR, MUCH',
    use: 'a constant with its unit',
    pattern: /^(?:NEAR|(?:is )?much|MUCH)$/,
    kinds: NAMES,
  },
]
