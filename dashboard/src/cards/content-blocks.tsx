import {Picture} from './image.tsx'
import {JsonTree} from './json-tree.tsx'
import {Box} from '../ui/more.tsx'
import type {ContentBlock} from './read-content.ts'
import {TextBox} from './text-box.tsx'

/** The content blocks of a result, stacked. */
export function ContentBlocks({blocks}: {blocks: readonly ContentBlock[]}) {
  // Blocks have no other identity than their index.
  // oxlint-disable-next-line react/no-array-index-key
  return blocks.map((block, at) => <Block key={at} block={block} />)
}

function Block({block}: {block: ContentBlock}) {
  switch (block.kind) {
    case 'text':
      return <TextBox text={block.text} label="Result" />
    case 'picture':
      return <Picture base64={block.base64} alt="Picture in the result" />
    case 'value':
      return (
        <Box>
          <JsonTree value={block.value} />
        </Box>
      )
    default:
      return block satisfies never
  }
}
