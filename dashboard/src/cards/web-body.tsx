import {isRecord, textAt} from '../../../src/core/wire/json.ts'
import {describeLink} from './describe-link.ts'
import {cutAt} from './lines.ts'
import {escapeControlsMultiline} from './readable.ts'
import {ResultBox} from './result-box.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const MAX_ADDRESSES = 20
const MAX_TEXT = 2000

/** A web page or search: the URL or query, the prompt, and the result. */
export function WebBody(call: ToolCall) {
  const {input} = call
  const asked = textAt(input, 'prompt') ?? textAt(input, 'query') ?? textAt(input, 'search_term')
  return (
    <>
      {listAddresses(input).map((address) => (
        <Address key={address} address={address} />
      ))}
      {asked !== undefined && (
        <p className={styles.question}>{escapeControlsMultiline(cutAt(asked, MAX_TEXT))}</p>
      )}
      <ResultBox {...call} />
    </>
  )
}

function listAddresses(input: unknown): string[] {
  const {url, urls, requests} = isRecord(input) ? input : {}
  const list: unknown[] = [url, urls, requests].flat()
  const texts = list.map((item) => (typeof item === 'string' ? item : textAt(item, 'url')))
  return Array.from(new Set(texts.filter((text) => text !== undefined))).slice(0, MAX_ADDRESSES)
}

function Address({address}: {address: string}) {
  const {url} = describeLink(address, address)
  const shown = escapeControlsMultiline(cutAt(url ?? address, MAX_TEXT))
  if (url === undefined) return <p className={styles.address}>{shown}</p>
  const {host} = new URL(url)
  const at = shown.indexOf(host)
  return (
    <p className={styles.address}>
      <a href={url} target="_blank" rel="noreferrer noopener">
        {at === -1 ? (
          shown
        ) : (
          <>
            <b>{host}</b>
            {shown.slice(at + host.length)}
          </>
        )}
      </a>
    </p>
  )
}
