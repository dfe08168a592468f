import {isIP, isIPv6} from 'node:net'
import {networkInterfaces} from 'node:os'
import {HubError} from '../hub-error.ts'

/** Where the hub should listen. */
export interface ListenOptions {
  /** @defaultValue `127.0.0.1` */
  host?: string | undefined
  /** 0 picks a free one. @defaultValue 4310 */
  port?: number | undefined
  /** The certificate file; requires the key file. */
  tlsCert?: string | undefined
  tlsKey?: string | undefined
  /** Accepts that everything is sent over the network unencrypted. */
  isInsecure?: boolean | undefined
  /** More names for the hub: `name`, `name:port`, or an origin such as `https://name` behind a proxy. */
  allowHosts?: readonly string[] | undefined
  /** The addresses of this machine. @defaultValue those of its network interfaces */
  addresses?: readonly string[] | undefined
}

/** Where the hub listens, and the names it answers to. */
export interface ListenAddress {
  host: string
  port: number
  scheme: 'http' | 'https'
  isLoopback: boolean
  /** The accepted origins of the hub, once its port is known. */
  origins: (port: number) => string[]
  /** The URLs to print, the preferred one first. */
  urls: (port: number) => string[]
  /** The URL for programs of this machine, which needs no name server. */
  localUrl: (port: number) => string
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
/** The names for all addresses of this machine, and the loopback address of each. */
const WILDCARDS = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
])

/** Decides where the hub may listen; throws when that is unsafe or impossible, and explains what to do. */
export function planListenAddress(options: ListenOptions = {}): ListenAddress {
  const {port = 4310, tlsCert, tlsKey, isInsecure = false, allowHosts = []} = options
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new HubError('half-tls', 'TLS needs both --tls-cert and --tls-key. Give both or none')
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new HubError('bad-address', `--port ${port}: expected a number from 0 to 65535`)
  }
  const name = readName(options.host ?? '127.0.0.1')
  const scheme = tlsCert === undefined ? 'http' : 'https'
  const isLoopback = isLoopbackName(name)
  if (!isLoopback && scheme === 'http' && !isInsecure) {
    throw new HubError(
      'not-loopback',
      `--host ${bare(name)} is reachable from other machines, and without TLS they can read the token. Use ` +
        '--tls-cert and --tls-key, or an SSH tunnel to 127.0.0.1. On a network that you trust, use --insecure',
    )
  }
  const extra = allowHosts.map((text) => readAllowed(text, scheme))
  const isWildcard = WILDCARDS.has(name)
  const named = isWildcard ? listAddresses(options.addresses, name) : [name]
  const toOrigin = (host: string, at: number): string => new URL(`${scheme}://${host}:${at}`).origin
  const bound = isIP(bare(name)) === 0 && isLoopback ? '127.0.0.1' : name
  return {
    host: bare(bound),
    port,
    scheme,
    isLoopback,
    origins: (at) => [
      ...new Set([
        ...[...LOOPBACK, ...named].map((host) => toOrigin(host, at)),
        ...extra.map((toExtra) => toExtra(at)),
      ]),
    ],
    urls: (at) => {
      const best = isWildcard ? ['127.0.0.1', ...named] : named
      return [...new Set(best.map((host) => toOrigin(host, at)))]
    },
    localUrl: (at) => toOrigin(WILDCARDS.get(bound) ?? bound, at),
  }
}

/** A host as written in a URL: lower case, brackets around IPv6, no zone. */
function readName(host: string): string {
  const text = bare(host.trim())
  const name = isIPv6(text) ? `[${text.replace(/%.*$/, '')}]` : text.replace(/\.$/, '')
  if ((isIPv6(text) || /^[\w.-]+$/.test(name)) && URL.canParse(`http://${name}`)) {
    const {hostname} = new URL(`http://${name}`)
    // A URL parser accepts `127.1` or `2130706433` as an address, which may not be the one that is listened on.
    if (isIP(hostname) === 0 || hostname === name) return hostname
  }
  throw new HubError('bad-address', `--host ${host}: expected a host name or an IP address`)
}

/** Names under `localhost` belong to this machine, regardless of name servers. */
function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return isIP(name) === 4 ? name.startsWith('127.') : name === '[::1]'
}

function bare(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1')
}

/** A hub that listens on all addresses answers to each of them, but not to names that resolve to them. */
function listAddresses(given: readonly string[] | undefined, name: string): string[] {
  const found = () => Object.values(networkInterfaces()).flatMap((list = []) => list)
  return (given ?? found().map(({address}) => address))
    .filter((address) => name === '[::]' || isIP(address) === 4)
    .map(readName)
}

/** Parses a name given by the owner; without a scheme and a port it has those of the hub. */
function readAllowed(text: string, scheme: string): (port: number) => string {
  const [, given, host = '', port] =
    /^(?:(https?):\/\/)?([\w.-]+|\[[\da-f:.]+\])(?::(\d+))?\/?$/i.exec(text.trim()) ?? []
  const start = `${given?.toLowerCase() ?? scheme}://${host.replace(/\.$/, '')}`
  const full = port === undefined ? start : `${start}:${port}`
  if (host === '' || !URL.canParse(full)) {
    throw new HubError(
      'bad-address',
      `--allow-host ${text}: expected a host name, a host name with a port, or an origin such as https://name`,
    )
  }
  const isOrigin = port !== undefined || given !== undefined
  return (at) => new URL(isOrigin ? full : `${start}:${at}`).origin
}
