import {Visitor, parseSync} from 'rolldown/utils'
import {maskQuotes, maskText, replaceWithSpaces} from './mask.js'

/** @import {ESTree} from 'rolldown/utils' */
/** @import {Extract} from './extract.js' */

const TEST_FUNCTIONS = new Set(['bench', 'describe', 'it', 'suite', 'test'])
/** At least two words, so that keys, paths and discriminants are left alone. */
const SENTENCE = /\p{L}{2,}[,.:;!?]*\s+\p{L}/u

/**
 * The texts of a TypeScript or JavaScript file.
 *
 * @param {string} path
 * @param {string} source
 * @param {{strings: boolean}} options `strings`: whether string literals are shown to users
 * @returns {Extract[]}
 */
export function extractCode(path, source, {strings}) {
  const {program, comments, errors} = parseSync(path, source)
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`)
  return [...joinComments(source, comments), ...visit(program, source, strings)]
}

/**
 * Consecutive line comments are one text, because a sentence may span several lines.
 *
 * @param {string} source
 * @param {{type: string, start: number, end: number}[]} comments
 */
function joinComments(source, comments) {
  /** @type {{type: string, start: number, end: number}[]} */
  const blocks = []
  for (const comment of comments) {
    const last = blocks.at(-1)
    const isNext = last?.type === 'Line' && comment.type === 'Line'
    if (
      last !== undefined &&
      isNext &&
      /^\r?\n[ \t]*$/.test(source.slice(last.end, comment.start))
    ) {
      last.end = comment.end
    } else {
      blocks.push({...comment})
    }
  }
  return blocks.map(({start, end}) => extractComment(source.slice(start, end), start))
}

/**
 * @param {string} comment
 * @param {number} start
 * @returns {Extract}
 */
export function extractComment(comment, start) {
  const text = comment.replaceAll(/^\s*(?:\/\/+|\/?\*+(?!\/))|\*+\/$/gm, replaceWithSpaces)
  return {kind: 'comments', start, text: maskQuotes(text)}
}

/**
 * @param {ESTree.Program} program
 * @param {string} source
 * @param {boolean} strings
 */
function visit(program, source, strings) {
  /** @type {Extract[]} */
  const extracts = []
  /** @type {Set<unknown>} */
  const skipped = new Set()

  /** @param {ESTree.Node | null | undefined} node */
  function declare(node) {
    for (const {name, start} of listNames(node)) {
      extracts.push({kind: 'identifiers', start, text: name})
    }
  }

  /** @param {{params: ESTree.Node[], id?: ESTree.Node | null}} node */
  function declareFunction(node) {
    declare(node.id)
    for (const param of node.params) declare(param)
  }

  /** @param {{key: ESTree.Node, computed: boolean}} node */
  function declareKey(node) {
    if (!node.computed && !skipped.has(node)) declare(node.key)
  }

  /** @param {ESTree.StringLiteral | ESTree.TemplateLiteral} node */
  function addString(node) {
    const text = readString(node, source)
    if (strings && !skipped.has(node) && SENTENCE.test(text)) {
      extracts.push({kind: 'prose', start: node.start, text})
    }
  }

  new Visitor({
    VariableDeclarator: (node) => declare(node.id),
    FunctionDeclaration: declareFunction,
    FunctionExpression: declareFunction,
    ArrowFunctionExpression: declareFunction,
    TSFunctionType: (node) => declareFunction({params: node.params}),
    TSMethodSignature(node) {
      declareKey(node)
      declareFunction({params: node.params})
    },
    ClassDeclaration: (node) => declare(node.id),
    TSTypeAliasDeclaration: (node) => declare(node.id),
    TSInterfaceDeclaration: (node) => declare(node.id),
    TSNamedTupleMember: (node) => declare(node.label),
    TSTypeParameter: (node) => declare(node.name),
    CatchClause: (node) => declare(node.param),
    ImportSpecifier(node) {
      const {imported, local} = node
      if (imported.type !== 'Identifier' || imported.name !== local.name) declare(local)
    },
    // Its keys are declared elsewhere; the variables in it are declared by the handlers above.
    ObjectPattern(node) {
      for (const property of node.properties) skipped.add(property)
    },
    Property: declareKey,
    PropertyDefinition: declareKey,
    MethodDefinition: declareKey,
    TSPropertySignature: declareKey,
    TSLiteralType: (node) => declare(node.literal),
    JSXAttribute(node) {
      if (node.name.name === 'className') skipped.add(node.value)
    },
    CallExpression(node) {
      const callee = findRoot(node.callee)
      const name = node.arguments[0]
      if (!TEST_FUNCTIONS.has(callee) || name === undefined || !isString(name)) return
      skipped.add(name)
      const text = readString(name, source)
      extracts.push({kind: 'tests', start: name.start, text, isGroup: callee === 'describe'})
    },
    JSXText(node) {
      extracts.push({
        kind: 'prose',
        start: node.start,
        text: source.slice(node.start, node.end),
        isFragment: true,
      })
    },
    Literal(node) {
      if (isString(node)) addString(node)
    },
    TemplateLiteral: addString,
  }).visit(program)
  return extracts
}

/**
 * @param {ESTree.Node} node
 * @returns {node is ESTree.StringLiteral | ESTree.TemplateLiteral}
 */
function isString(node) {
  return (
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  )
}

/**
 * The source of a string with spaces for its quotes and escapes, and placeholders for its expressions.
 *
 * @param {ESTree.StringLiteral | ESTree.TemplateLiteral} node
 * @param {string} source
 */
function readString(node, source) {
  let text = source.slice(node.start, node.end)
  if (node.type === 'TemplateLiteral') {
    for (const {start, end} of node.expressions) {
      const [from, to] = [start - node.start, end - node.start]
      text = text.slice(0, from) + maskText(text.slice(from, to)) + text.slice(to)
    }
    text = text.replaceAll(/\$\{|(?<=·)\s*\}/g, maskText)
  }
  const inner = text.slice(1, -1).replaceAll(/\\(?:[nrt`]|u\{?\w+\}?|x\w\w)/g, replaceWithSpaces)
  return ` ${maskQuotes(inner)} `
}

/**
 * The names that a pattern, a key or a literal type declares.
 *
 * @param {ESTree.Node | null | undefined} node
 * @returns {{name: string, start: number}[]}
 */
function listNames(node) {
  switch (node?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [{name: node.name, start: node.start}]
    case 'Literal':
      return typeof node.value === 'string' && /^[\w-]+$/.test(node.value)
        ? [{name: node.value, start: node.start + 1}]
        : []
    case 'ObjectPattern':
      return node.properties.flatMap(listNames)
    case 'Property':
      return listNames(node.value)
    case 'ArrayPattern':
      return node.elements.flatMap(listNames)
    case 'AssignmentPattern':
      return listNames(node.left)
    case 'RestElement':
      return listNames(node.argument)
    default:
      return []
  }
}

/**
 * `test` of `test.each(cases)(name)`.
 *
 * @param {ESTree.Node} callee
 * @returns {string}
 */
function findRoot(callee) {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return findRoot(callee.object)
  if (callee.type === 'CallExpression') return findRoot(callee.callee)
  return callee.type === 'TaggedTemplateExpression' ? findRoot(callee.tag) : ''
}
