import {
  applyEdits,
  findNodeAtLocation,
  format,
  modify,
  parseTree,
  type JSONPath,
  type Node,
} from 'jsonc-parser'

/** Appends a value to `hooks.<event>` in the style of the settings; all other bytes stay unchanged. */
export function appendHook(settings: string, event: string, value: unknown): string {
  const root = parseTree(settings)
  const container = find(root, ['hooks', event]) ?? find(root, ['hooks']) ?? root
  const [edit] = modify(settings, ['hooks', event, -1], value, {})
  if (container === undefined || edit === undefined) return settings
  const isEmpty = container.children?.length === 0
  if (isCompact(settings, root)) {
    return applyEdits(settings, [{...edit, content: edit.content.replace('": ', '":')}])
  }
  const added = applyEdits(settings, [edit])
  // The brackets of an empty container are formatted, too.
  const around = isEmpty ? 1 : 0
  const range = {offset: edit.offset - around, length: edit.content.length + 2 * around}
  const source = settings.slice(container.offset, endOf(container))
  const [, indent = '  '] = /\n([ \t]+)/.exec(settings) ?? []
  const style = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    keepLines: !isEmpty && !source.includes('\n'),
  }
  return applyEdits(added, format(added, range, style))
}

/** Removes a value, and lists and objects that become empty; all other bytes stay unchanged. */
export function removeAt(settings: string, path: JSONPath): string {
  let node = find(parseTree(settings), path)
  while (node !== undefined && isOnlyChild(node)) node = node.parent
  const siblings = node?.parent?.children
  if (node?.parent === undefined || siblings === undefined) return settings
  const index = siblings.indexOf(node)
  const before = siblings[index - 1]
  const after = siblings[index + 1]
  // Not `modify`, which removes the last value of a list correctly only if one character follows it.
  let [start, end] = [node.parent.offset + 1, endOf(node.parent) - 1]
  if (after !== undefined) [start, end] = [node.offset, after.offset]
  else if (before !== undefined) [start, end] = [endOf(before), endOf(node)]
  return settings.slice(0, start) + settings.slice(end)
}

function find(root: Node | undefined, path: JSONPath): Node | undefined {
  return root && findNodeAtLocation(root, path)
}

function endOf({offset, length}: Node): number {
  return offset + length
}

/** Whether a node is the value of a property, or the only entry of a container within the settings. */
function isOnlyChild({parent}: Node): boolean {
  if (parent?.parent === undefined) return false
  return parent.type === 'property' || parent.children?.length === 1
}

/** Whether no white space follows the first colon. */
function isCompact(settings: string, root: Node | undefined): boolean {
  const colon = root?.children?.[0]?.colonOffset
  return colon !== undefined && !/\s/.test(settings.charAt(colon + 1))
}
