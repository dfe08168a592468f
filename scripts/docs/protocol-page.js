// Renders the generated parts of docs/protocol.md from the OpenAPI description of a hub.

/**
 * @typedef {{
 *   $ref?: string, type?: string | string[], enum?: string[], const?: unknown, description?: string, default?: unknown,
 *   items?: Schema, anyOf?: Schema[], oneOf?: Schema[], properties?: Record<string, Schema>, required?: string[],
 *   additionalProperties?: unknown,
 * }} Schema
 * @typedef {{name: string, in: string, description?: string, schema: Schema}} Parameter
 * @typedef {{summary: string, security: {bearer?: string[]}[], parameters: Parameter[]}} Operation
 * @typedef {{paths: Record<string, Record<string, Operation>>, components: {schemas: Record<string, Schema>}}} Api
 */

const WIDTH = 110
/** The page describes these fields once for all messages. */
const COMMON = ['type', 'ref']
const COMMON_OF_RUNS = [...COMMON, 'workOrderId', 'runId', 'seq', 'timestamp']

/**
 * Replaces the text between `<!-- generated: … -->` and `<!-- end -->`.
 *
 * @param {string} page
 * @param {unknown} openApi
 */
export function fillProtocolPage(page, openApi) {
  const api = /** @type {Api} */ (openApi)
  return page.replaceAll(
    /(<!-- generated: (.+) -->\n)[^]*?(<!-- end -->)/g,
    (_, /** @type {string} */ start, /** @type {string} */ name, /** @type {string} */ end) =>
      `${start}\n${render(api, name)}\n\n${end}`,
  )
}

/**
 * @param {Api} api
 * @param {string} name
 */
function render(api, name) {
  if (name === 'routes') return listRoutes(api)
  const [method = '', path = ''] = name.split(' ')
  const operation = api.paths[path]?.[method.toLowerCase()]
  if (operation !== undefined) {
    const given = operation.parameters.filter((parameter) => parameter.in !== 'path')
    return given.map((parameter) => listParameter(parameter)).join('\n')
  }
  const schema = api.components.schemas[name]
  if (schema === undefined) throw new Error(`docs/protocol.md: unknown schema ${name}`)
  return listFields(schema)
}

/** @param {Api} api */
function listRoutes({paths}) {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, {security, summary}]) => {
      const right = security[0]?.bearer?.[0]
      return [
        `\`${method.toUpperCase()} ${path}\``,
        right === undefined ? '' : `\`${right}\``,
        summary,
      ]
    }),
  )
  const table = [['route', 'right', 'purpose'], ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  const [head = '', ...lines] = table.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  )
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [head, rule, ...lines].join('\n')
}

/** @param {Parameter} parameter */
function listParameter({name, description, schema, ...parameter}) {
  const place = parameter.in === 'header' ? 'header, ' : ''
  const otherwise = schema.default === undefined ? '' : `, default \`${schema.default}\``
  return toItem(`\`${name}\``, `${place}${nameType(schema)}${otherwise}`, description)
}

/** @param {Schema} schema */
function listFields({properties = {}, required = []}) {
  const hidden = properties['seq'] === undefined ? COMMON : COMMON_OF_RUNS
  const isMessage = properties['type']?.const !== undefined
  return Object.entries(properties)
    .filter(([name]) => !isMessage || !hidden.includes(name))
    .map(([name, field]) => {
      const label = required.includes(name) ? `\`${name}\`` : `\`${name}?\``
      return toItem(label, nameType(field), field.description)
    })
    .join('\n')
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function nameType({
  $ref,
  type,
  enum: words,
  const: word,
  items,
  anyOf,
  oneOf,
  properties,
  ...schema
}) {
  if ($ref !== undefined) return `\`${$ref.split('/').at(-1)}\``
  if (words !== undefined) return words.map((known) => `\`${known}\``).join(', ')
  if (word !== undefined) return `\`${word}\``
  const options = anyOf ?? oneOf
  if (options !== undefined) return options.map(nameType).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (items !== undefined) return `list of ${nameType(items)}`
  if (properties !== undefined) return `\`{${nameFields({properties, ...schema})}}\``
  return type ?? 'any'
}

/** @param {Schema} schema */
function nameFields({properties = {}, required = []}) {
  return Object.entries(properties)
    .map(([name, {const: word}]) => {
      const value = word === undefined ? '' : `: ${JSON.stringify(word)}`
      return `${name}${required.includes(name) ? '' : '?'}${value}`
    })
    .join(', ')
}

/**
 * A list item, wrapped between words.
 *
 * @param {string} label
 * @param {string} type
 * @param {string} [description]
 */
function toItem(label, type, description) {
  const text = `- ${label} (${type})${description === undefined ? '' : `: ${description}`}`
  const lines = ['']
  // Code is not broken.
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length >= WIDTH) lines.push(`  ${word}`)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
