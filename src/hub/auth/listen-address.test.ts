import {describe, expect, test} from 'vitest'
import {planListenAddress} from './listen-address.ts'

const tls = {tlsCert: 'cert.pem', tlsKey: 'key.pem'}
const loopback = ['http://127.0.0.1:4310', 'http://localhost:4310', 'http://[::1]:4310']

describe('the listen address', () => {
  test('is loopback by default', () => {
    const {origins, urls, localUrl, ...rest} = planListenAddress()
    expect(rest).toEqual({host: '127.0.0.1', port: 4310, scheme: 'http', isLoopback: true})
    expect(urls(4310)).toEqual(['http://127.0.0.1:4310'])
    expect(localUrl(4310)).toBe('http://127.0.0.1:4310')
    expect(origins(4310)).toEqual(loopback)
  })

  test.each([
    ['localhost', '127.0.0.1', 'http://localhost:1'],
    ['LocalHost.', '127.0.0.1', 'http://localhost:1'],
    ['vitrine.localhost', '127.0.0.1', 'http://vitrine.localhost:1'],
    ['127.0.0.2', '127.0.0.2', 'http://127.0.0.2:1'],
    ['::1', '::1', 'http://[::1]:1'],
    ['[::1]', '::1', 'http://[::1]:1'],
    ['0:0:0:0:0:0:0:1', '::1', 'http://[::1]:1'],
  ])('treats %s as loopback: %s', (host, bound, url) => {
    const plan = planListenAddress({host, port: 0})
    expect(plan).toMatchObject({host: bound, port: 0, isLoopback: true})
    expect(plan.urls(1)).toEqual([url])
    expect(plan.origins(1)).toContain(url)
  })

  test.each([
    '0.0.0.0',
    '::',
    '[::]',
    '192.168.1.5',
    'fe80::1%eth0',
    '::ffff:127.0.0.1',
    'example.com',
    'localhost.example.com',
    'notlocalhost',
  ])('requires TLS or --insecure for %s', (host) => {
    expect(() => planListenAddress({host})).toThrow(
      /is reachable from other machines.*--tls-cert and --tls-key.*--insecure/,
    )
    expect(planListenAddress({host, isInsecure: true})).toMatchObject({scheme: 'http'})
    expect(planListenAddress({host, ...tls})).toMatchObject({scheme: 'https', isLoopback: false})
  })

  test('includes all addresses of the machine for a wildcard host, but no name', () => {
    const addresses = ['127.0.0.1', '192.168.1.5', '::1', 'fe80::1%eth0']
    const four = planListenAddress({host: '0.0.0.0', isInsecure: true, addresses})
    expect(four.urls(80)).toEqual(['http://127.0.0.1', 'http://192.168.1.5'])
    const six = planListenAddress({host: '::', ...tls, addresses})
    expect(six.host).toBe('::')
    expect(six.origins(4310)).toEqual([
      'https://127.0.0.1:4310',
      'https://localhost:4310',
      'https://[::1]:4310',
      'https://192.168.1.5:4310',
      'https://[fe80::1]:4310',
    ])
  })

  test.each([
    ['vitrine.localhost', 'http://127.0.0.1:1'],
    ['::1', 'http://[::1]:1'],
    ['0.0.0.0', 'http://127.0.0.1:1'],
    ['::', 'http://[::1]:1'],
    ['192.168.1.5', 'http://192.168.1.5:1'],
  ])('has a local URL without a name for %s', (host, url) => {
    expect(planListenAddress({host, isInsecure: true}).localUrl(1)).toBe(url)
  })

  test.each([
    ['hub.test', 'http://hub.test:4310'],
    ['Hub.Test.', 'http://hub.test:4310'],
    ['hub.test:80', 'http://hub.test'],
    ['https://hub.test', 'https://hub.test'],
    ['https://hub.test:8443/', 'https://hub.test:8443'],
    ['[fd00::1]', 'http://[fd00::1]:4310'],
  ])('includes the allowed host %s', (name, origin) => {
    expect(planListenAddress({allowHosts: [name]}).origins(4310)).toEqual([...loopback, origin])
  })

  test.each(['*', '*.test', 'a/b', 'user@hub.test', 'ftp://hub.test', '', 'a b', 'hub.test:99999'])(
    'rejects %j as an allowed host',
    (name) =>
      expect(() => planListenAddress({allowHosts: [name]})).toThrow(
        `--allow-host ${name}: expected a host name`,
      ),
  )

  test.each([
    '',
    '0',
    '127.1',
    '2130706433',
    '0x7f.1',
    'a:80',
    'http://a',
    'a/b',
    'a b',
    '1.2.3.4:5',
  ])('rejects %j as a host', (host) =>
    expect(() => planListenAddress({host, isInsecure: true})).toThrow(
      `--host ${host}: expected a host name`,
    ),
  )

  test.each([-1, 65_536, 1.5, Number.NaN])('rejects %s as a port', (port) => {
    expect(() => planListenAddress({port})).toThrow(
      `--port ${port}: expected a number from 0 to 65535`,
    )
  })

  test('requires a key with a certificate and a certificate with a key', () => {
    expect(() => planListenAddress({tlsCert: 'cert.pem'})).toThrow('both --tls-cert and --tls-key')
    expect(() => planListenAddress({tlsKey: 'key.pem'})).toThrow('both --tls-cert and --tls-key')
  })
})
