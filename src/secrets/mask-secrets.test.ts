import {readdirSync, readFileSync} from 'node:fs'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {maskSecrets, maskSecretsIn} from './mask-secrets.ts'

// Bodies are assembled here, so that no secret scanner reports this file.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const some = (length: number, from = LETTERS) => {
  return Array.from({length}, (_, at) => from[(at * 17 + 5 + (at >> 2)) % from.length]).join('')
}
const hex = (length: number) => some(length, '0123456789abcdef')
const BODY = some(48)
const HIDDEN = some(20)
const glue = (...parts: string[]) => parts.join('')
const LINES = [some(64), some(64), `${some(30)}==`]
const pem = (kind: string, newline = '\n') => {
  return [`-----BEGIN ${kind}-----`, ...LINES, `-----END ${kind}-----`].join(newline)
}
const jwt = `${glue('ey', 'J')}${some(30)}.${glue('ey', 'J')}${some(60)}.${some(43)}`

/** The text, what must be gone from it, and what is shown. */
const SECRETS: [text: string, secret: string, shown: string][] = [
  // Vendors.
  [glue('sk-', 'ant-api03-', BODY), BODY, 'sk-ant-***'],
  [glue('sk-', 'ant-oat01-', 'x'.repeat(80)), 'xxxx', 'sk-ant-***'],
  [glue('sk-', BODY), BODY, 'sk-***'],
  [glue('sk-', 'proj-', some(20), '-_', BODY), BODY, 'sk-proj-***'],
  [glue('sk-', 'svcacct-', BODY), BODY, 'sk-svcacct-***'],
  [glue('sk-', 'or-v1-', hex(64)), hex(64), 'sk-or-v1-***'],
  [glue('AI', 'za', some(35)), some(35), 'AIza***'],
  [glue('ya', '29.', BODY), BODY, 'ya29.***'],
  [glue('GOC', 'SPX-', some(28)), some(28), 'GOCSPX-***'],
  [glue('1/', '/0', BODY), BODY, '1//0***'],
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind): [string, string, string] => {
    return [`${kind}_${some(36)}`, some(36), `${kind}_***`]
  }),
  [glue('github', '_pat_', some(22), '_', some(59)), some(59), 'github_pat_***'],
  [glue('gl', 'pat-', HIDDEN), HIDDEN, 'glpat-***'],
  [glue('AK', 'IA', some(16, 'ABCDEFGHIJ234567')), some(16, 'ABCDEFGHIJ234567'), 'AKIA***'],
  [glue('AS', 'IA', some(16, 'ABCDEFGHIJ234567')), some(16, 'ABCDEFGHIJ234567'), 'ASIA***'],
  [glue('xox', 'b-', '123456789012-', some(24)), some(24), 'xoxb-***'],
  [glue('xa', 'pp-1-A0-', some(24)), some(24), 'xapp-1-***'],
  [
    glue('https://hooks.slack', '.com/services/T0000/B0000/', some(24)),
    some(24),
    'https://hooks.slack.com/services/***',
  ],
  [
    glue('https://discord', '.com/api/webhooks/123456789012345678/', some(68)),
    some(68),
    'https://discord.com/api/webhooks/***',
  ],
  [glue('M', some(23), '.', some(6), '.', some(38)), some(38), '***'],
  [glue('sk', '_live_', some(24)), some(24), 'sk_live_***'],
  [glue('rk', '_live_', some(24)), some(24), 'rk_live_***'],
  [glue('wh', 'sec_', some(32)), some(32), 'whsec_***'],
  [glue('SK', hex(32)), hex(32), 'SK***'],
  [glue('SG', '.', some(22), '.', some(43)), some(43), 'SG.***'],
  [glue('ke', 'y-', hex(32)), hex(32), 'key-***'],
  [glue('np', 'm_', some(36)), some(36), 'npm_***'],
  [glue('py', 'pi-', BODY), BODY, 'pypi-***'],
  [glue('h', 'f_', some(34)), some(34), 'hf_***'],
  [glue('gs', 'k_', some(52)), some(52), 'gsk_***'],
  [glue('xa', 'i-', some(80)), some(80), 'xai-***'],
  [glue('pp', 'lx-', BODY), BODY, 'pplx-***'],
  [glue('r', '8_', some(37)), some(37), 'r8_***'],
  [glue('da', 'pi', hex(32)), hex(32), 'dapi***'],
  [glue('do', 'p_v1_', hex(64)), hex(64), 'dop_v1_***'],
  [glue('lin', '_api_', some(40)), some(40), 'lin_api_***'],
  [glue('secret', '_', some(43)), some(43), 'secret_***'],
  [glue('nt', 'n_', some(46)), some(46), 'ntn_***'],
  [glue('123456789', ':AA', some(33)), some(33), '123456789:***'],
  [glue('shp', 'at_', hex(32)), hex(32), 'shpat_***'],
  [glue('dp', '.pt.', some(43)), some(43), 'dp.pt.***'],
  [glue('hv', 's.', some(90)), some(90), 'hvs.***'],
  [
    glue('AGE-SECRET', '-KEY-1', some(58, 'QPZRY9X8GF2TVDW0')),
    some(20, 'QPZRY9X8GF2TVDW0'),
    'AGE-SECRET-KEY-***',
  ],
  [glue('sb', 'p_', hex(40)), hex(40), 'sbp_***'],
  [glue('abc8', 'Q~', some(34)), some(34), '***'],
  [glue('vitrine', '_', some(43)), some(43), 'vitrine_***'],
  [
    glue('Sec-WebSocket-Protocol: vitrine, token.', some(43)),
    some(43),
    'Sec-WebSocket-Protocol: vitrine, token.***',
  ],
  [jwt, some(43), 'eyJ***'],
  // Where keys stand.
  [`\\nghp_${some(36)}\\n`, some(36), '\\nghp_***\\n'],
  [`\u001B[32mghp_${some(36)}\u001B[0m`, some(36), '\u001B[32mghp_***\u001B[0m'],
  [`**ghp_${some(36)}**`, some(36), '**ghp_***\u002A*'],
  [`q=%20ghp_${some(36)}`, some(36), 'q=%20ghp_***'],
  // Headers.
  [`Authorization: Bearer ${HIDDEN}`, HIDDEN, 'Authorization: Bearer ***'],
  [`authorization: Basic ${'dXNlcjpwYXNzd29yZA=='}`, 'dXNl', 'authorization: Basic ***'],
  [`Authorization: token ${hex(40)}`, hex(40), 'Authorization: token ***'],
  [`{"Authorization": "Bearer ${jwt}"}`, some(43), '{"Authorization": "Bearer eyJ***"}'],
  [`curl -H 'x-api-key: ${HIDDEN}' x`, HIDDEN, "curl -H 'x-api-key: ***' x"],
  ['curl -s -u admin:hunter2 http://x', 'hunter2', 'curl -s -u admin:*** http://x'],
  ['curl --user "admin:hunter2" x', 'hunter2', 'curl --user "admin:***" x'],
  [`Set-Cookie: sid=${HIDDEN}; Path=/; HttpOnly`, HIDDEN, 'Set-Cookie: sid=***; Path=/; HttpOnly'],
  [`Cookie: theme=dark; session=${HIDDEN}`, HIDDEN, 'Cookie: theme=dark; session=***'],
  // Addresses.
  ['postgres://user:pass@host/db', 'pass@', 'postgres://user:***@host/db'],
  ['redis://:hunter2@10.0.0.1:6379', 'hunter2', 'redis://:***@10.0.0.1:6379'],
  ['mongodb+srv://a:p@ss:w0rd@c0.example.net/x', 'w0rd', 'mongodb+srv://a:***@c0.example.net/x'],
  [`https://${HIDDEN}@github.com/a/b`, HIDDEN, 'https://***@github.com/a/b'],
  [`https://ghp_${some(36)}@github.com/a`, some(36), 'https://ghp_***@github.com/a'],
  [
    `https://ghp_${some(36)}:x-oauth-basic@github.com/a`,
    some(36),
    'https://ghp_***:***@github.com/a',
  ],
  // Private keys.
  ...['RSA ', 'EC ', 'DSA ', '', 'ENCRYPTED ', 'OPENSSH '].map((kind): [string, string, string] => {
    const name = `${kind}PRIVATE KEY`
    return [pem(name), some(64), `-----BEGIN ${name}-----\n***\n-----END ${name}-----`]
  }),
  [
    pem('PGP PRIVATE KEY BLOCK'),
    some(64),
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\n***\n-----END PGP PRIVATE KEY BLOCK-----',
  ],
  [
    pem('PRIVATE KEY', '\\n'),
    some(64),
    String.raw`-----BEGIN PRIVATE KEY-----\n***\n-----END PRIVATE KEY-----`,
  ],
  [
    pem('PRIVATE KEY', '\\\\n'),
    some(64),
    String.raw`-----BEGIN PRIVATE KEY-----\\n***\\n-----END PRIVATE KEY-----`,
  ],
  [pem('PRIVATE KEY').slice(0, 120), some(20), '-----BEGIN PRIVATE KEY-----\n***'],
  [
    pem('PRIVATE KEY')
      .split('\n')
      .map((line, at) => `     ${at + 1}→${line}`)
      .join('\n'),
    some(30),
    '     1→-----BEGIN PRIVATE KEY-----\n     2→***\n     5→-----END PRIVATE KEY-----',
  ],
  [
    pem('RSA PRIVATE KEY').replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n'),
    some(64),
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n***\n-----END RSA PRIVATE KEY-----',
  ],
  [
    `"private_key": "${pem('PRIVATE KEY', '\\n')}\\n"`,
    some(64),
    String.raw`"private_key": "-----BEGIN PRIVATE KEY-----\n***\n-----END PRIVATE KEY-----\n"`,
  ],
  [
    glue(
      'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-',
      `Lines: 2\n${some(64)}\n${some(40)}\nPrivate-MAC: 0`,
    ),
    some(40),
    'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n***\nPrivate-MAC: 0',
  ],
  [`root:$6$${some(16)}$${some(86)}:19000:0:99999:7:::`, some(86), 'root:***:19000:0:99999:7:::'],
  [`_gitlab_session=${hex(32)}; path=/`, hex(32), '_gitlab_session=***; path=/'],
  [`${hex(32)}-us20`, hex(32), '***'],
  [glue('FlyV1 f', `m2_${some(120)}==,f`, `m2_${some(80)}`), some(80), 'FlyV1 fm2_***,fm2_***'],
  [`${glue('ey', 'J')}${some(30)}..${some(16)}.${some(60)}.${some(22)}`, some(22), 'eyJ***'],
  // Secret names.
  ['PWD=1234', '1234', 'PWD=***'],
  ['DB_PASSWORD=hunter2', 'hunter2', 'DB_PASSWORD=***'],
  ['POSTGRES_PASSWORD=mysecretpassword', 'mysecret', 'POSTGRES_PASSWORD=***'],
  ['PASSWORD="correct horse battery"', 'horse', 'PASSWORD="***"'],
  [`export API_TOKEN="${HIDDEN}"`, HIDDEN, 'export API_TOKEN="***"'],
  ["SECRET_KEY='s3cr3t!value'", 's3cr', "SECRET_KEY='***'"],
  [`AWS_SECRET_ACCESS_KEY=${some(20)}/${some(19)}`, some(19), 'AWS_SECRET_ACCESS_KEY=***'],
  [`aws_secret_access_key = ${some(20)}/${some(19)}`, some(19), 'aws_secret_access_key = ***'],
  [
    `DefaultEndpointsProtocol=https;AccountKey=${some(86)}==;X=1`,
    some(86),
    'DefaultEndpointsProtocol=https;AccountKey=***;X=1',
  ],
  ['Server=db;User Id=sa;Password=letmein;', 'letmein', 'Server=db;User Id=sa;Password=***;'],
  [`"apiKey": "${HIDDEN}"`, HIDDEN, '"apiKey": "***"'],
  [String.raw`{\"password\":\"hun\\\"ter2\"}`, 'ter2', String.raw`{\"password\":\"***\"}`],
  ['password: hunter2', 'hunter2', 'password: ***'],
  ['      DB_PASSWORD: letmein', 'letmein', '      DB_PASSWORD: ***'],
  ["'password' => 'hunter2',", 'hunter2', "'password' => '***',"],
  ['password := "hunter2"', 'hunter2', 'password := "***"'],
  ['const password: string = "hunter2"', 'hunter2', 'const password: string = "***"'],
  ['config["db_password"] = "hunter2"', 'hunter2', 'config["db_password"] = "***"'],
  ['mysql --password=letmein', 'letmein', 'mysql --password=***'],
  ['login --password hunter2', 'hunter2', 'login --password ***'],
  [`GET /x?access_token=${HIDDEN}&y=1`, HIDDEN, 'GET /x?access_token=***&y=1'],
  [`GET /x?sv=1&sig=${some(40)}%3D`, some(40), 'GET /x?sv=1&sig=***'],
  ['user=a&password=letmein&x=1', 'letmein', 'user=a&password=***&x=1'],
  [`//registry.npmjs.org/:_authToken=${HIDDEN}`, HIDDEN, '//registry.npmjs.org/:_authToken=***'],
  [`API_KEY=ghp_${some(36)}`, some(36), 'API_KEY=ghp_***'],
  [`VITRINE_TOKEN=${some(43)}`, some(43), 'VITRINE_TOKEN=***'],
  [`A=1\\nDB_PASSWORD=letmein\\nB=2`, 'letmein', String.raw`A=1\nDB_PASSWORD=***\nB=2`],
  ['<password>hunter2</password>', 'hunter2', '<password>***</password>'],
  [`SECRET_KEY_BASE=${hex(64)}`, hex(64), 'SECRET_KEY_BASE=***'],
  ["password='a\"b#c'", 'b#c', "password='***'"],
]

/** Texts that look like a secret but are not. */
const NO_SECRETS = [
  '0123456789abcdef0123456789abcdef01234567',
  glue('commit ', hex(40)),
  '550e8400-e29b-41d4-a716-446655440000',
  'session_id: 550e8400-e29b-41d4-a716-446655440000',
  '"sessionId":"ses_e21afcfbeffejcIawjPUqYKHOe"',
  'TOKEN_COUNT=1234',
  'max_tokens: 4096',
  '"input_tokens":1234,"output_tokens":56',
  'password: string',
  'password?: string | undefined',
  'token: Token',
  '  apiKey: string',
  'API_KEY: z.string()',
  'process.env.API_KEY',
  'const key = process.env.API_KEY',
  'apiKey: process.env.OPENAI_API_KEY,',
  'apiKey = getKey()',
  'token = await getToken(user2)',
  'API_KEY=${API_KEY}',
  'API_KEY=$API_KEY',
  'TOKEN=$(cat token.txt)',
  'API_KEY=<your-key>',
  'API_KEY=your_api_key_here',
  'PASSWORD=',
  'PASSWORD=""',
  'API_KEY=xxxx',
  'API_KEY=***',
  'API_KEY=...',
  '***',
  'sk-learn',
  'sk-fading-circle sk-circle12',
  'task-sk-some-long-name-of-a-task',
  'risk-averse-investors-of-2024-and-later',
  'desk-lamp-with-a-very-long-name-0123456789',
  'class="token-list__item--active secret_field_wrapper"',
  '.hf_header-navigation-wrapper { color: red }',
  'Bearer of bad news',
  'a bearer authentication scheme',
  'Authorization: Bearer <token>',
  'Authorization: Bearer ${token}',
  'Authorization: Bearer $TOKEN',
  'Authorization: Basic realm',
  `data:image/png;base64,${some(200)}==`,
  `${hex(64)}  file.tar.gz`,
  `sha256:${hex(64)}`,
  'npm_config_registry=https://registry.npmjs.org/',
  'npm_lifecycle_event',
  'tokenizer: gpt2',
  'secretary: Ann',
  'passwordless',
  'passwordless: true',
  'if (password === input)',
  "if (token !== 'abcdefgh12345678') return",
  'keyboard=qwerty123456789012',
  'monkey: banana12345',
  'primary_key=id12345678901234',
  'CACHE_KEY: string',
  glue('-----BEGIN PUBLIC KEY-----\n', some(64), '\n-----END PUBLIC KEY-----'),
  glue('-----BEGIN CERTIFICATE-----\n', some(64), '\n-----END CERTIFICATE-----'),
  'a file that starts with -----BEGIN PRIVATE KEY----- is a key',
  glue('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA', some(43), ' me@host'),
  'https://user@host/path',
  'https://john.smith@example.com/path?x=y',
  'http://localhost:8080/a@b',
  'https://host:443?q=a@b',
  'postgres://user:${DB_PASSWORD}@host/db',
  'postgres://user:<password>@host/db',
  'git@github.com:org/repo.git',
  'toolu_01maqTVpkXEabcDEFghiJKLm',
  glue('call_', some(24)),
  glue('msg_01', some(22)),
  glue('chatcmpl-', some(29)),
  glue('req_011C', some(20)),
  'function a(t,e){var n=t.token=e.key;return n&&(t.pass=e.pass),n}',
  'var s=e.password,t=e.secret||"",n={token:s,key:t}',
  `"integrity": "sha512-${some(86)}=="`,
  some(400),
  `"auth.password.label": "Enter your password"`,
  '"password": "Passwort"',
  '"password": "errors.password.required"',
  '"forgot_password": "Forgot your password?"',
  '/run/secrets/db_password',
  'PASSWORD_FILE=/run/secrets/db_password',
  'secret: /etc/app/secrets/token',
  'PWD=/home/user/project1',
  "credentials: 'include'",
  "credentials: 'same-origin'",
  '"token_type": "bearer"',
  '"nextPageToken": "CAUQAA1234567890"',
  'pad_token: "[PAD]"',
  '"token": "hello"',
  'docker run -u 1000:1000 image',
  'connect(password=password, token=self.token)',
  'api_key=api_key',
  '<input type="password" name="password" />',
  '--password string   The password',
  'usage: login --token <token>',
  'eyJ.eyJ.eyJ',
  `{"cursor":"${glue('ey', 'J')}${some(40)}"}`,
  'ghp_short',
  'SG.Collections.Generic',
  'fetch(url, {headers: {cookie: document.cookie}})',
  'Cookie: theme=dark; lang=en',
  // Nearly the shape of a vendor's key.
  `sk_${hex(47)}`,
  `task_${hex(48)}`,
  'sdk-550e8400-e29b-41d4-a716',
  'my-api-550e8400-e29b-41d4-a716-446655440000',
  'api-documentation-of-the-service',
  'pat-na1-not-the-shape-of-a-key',
  'API-GATEWAY-AND-LAMBDA-1',
  `${hex(31)}-us20`,
  `pat${some(13)}.${hex(64)}`,
  `LTAI${some(11)}`,
  `squ_${hex(39)}`,
  `sha256~${some(42)}`,
  `AQVN${some(34)}`,
  'sl.addEventListener.something',
  't1.join(t2).filter(t3.id)',
  'root:x:0:0:root:/root:/bin/bash',
  'price:$6$ or $7$',
  'password: 8',
  '["password=","x"]',
  'The password is: see the vault',
]

describe('maskSecrets with a secret', () => {
  test.each(SECRETS)('masks the secret in %j', (text, secret, shown) => {
    expect(text).toContain(secret)
    expect(maskSecrets(text)).toBe(shown)
    expect(maskSecrets(shown)).toBe(shown)
    expect(maskSecrets(`see: ${text} .`)).not.toContain(secret)
  })

  test('keeps nested JSON valid', () => {
    for (const [text, secret] of SECRETS) {
      const once = JSON.stringify({text, next: 'after'})
      const twice = JSON.stringify([once, 1])
      expect(JSON.parse(maskSecrets(once))).toHaveProperty('next', 'after')
      const [inner] = JSON.parse(maskSecrets(twice)) as [string]
      expect(JSON.parse(inner)).toHaveProperty('next', 'after')
      expect(maskSecrets(once)).not.toContain(JSON.stringify(secret).slice(1, -1))
    }
  })
})

describe('maskSecrets without a secret', () => {
  test.each(NO_SECRETS)('keeps %j', (text) => {
    expect(maskSecrets(text)).toBe(text)
    expect(maskSecrets(`x ${text}\n`)).toBe(`x ${text}\n`)
    expect(maskSecrets(JSON.stringify([text]))).toBe(JSON.stringify([text]))
  })
})

describe('maskSecretsIn', () => {
  test('masks every string and keeps the rest', () => {
    const same = {a: [1, null, true, 'text']}
    const value = {same, list: ['x', {deep: `see ghp_${some(36)}`}], [`ghp_${some(36)}`]: 1}
    const masked = maskSecretsIn(value)
    expect(masked).toEqual({same, list: ['x', {deep: 'see ghp_***'}], 'ghp_***': 1})
    expect(masked.same).toBe(same)
    expect(value.list).toEqual(['x', {deep: `see ghp_${some(36)}`}])
  })

  test('returns the same value when there is nothing to mask', () => {
    const value = {a: [{b: 'text', password: '<password>', token: ''}], n: 1}
    expect(maskSecretsIn(value)).toBe(value)
    expect(maskSecretsIn('text')).toBe('text')
    expect([1, null, undefined, true].map((item) => maskSecretsIn(item))).toEqual([
      1,
      null,
      undefined,
      true,
    ])
  })

  test.each([
    ['password', 'letmein', '***'],
    ['apiKey', HIDDEN, '***'],
    ['password', '$ecret!23', '***'],
    ['password', `p4ss:ghp_${some(36)}`, '***'],
    ['client_secret', 'top-secret-42', '***'],
    ['authorization', `Bearer ${HIDDEN}`, 'Bearer ***'],
    ['Authorization', `Basic ${'dXNlcjpwYXNz'}`, 'Basic ***'],
    ['authorization', HIDDEN, '***'],
    ['set-cookie', `sid=${HIDDEN}; Path=/`, 'sid=***; Path=/'],
    ['DB_PASSWORD', 'correct horse battery', '***'],
    ['x-api-key', `sk-ant-${BODY}`, 'sk-ant-***'],
  ])('masks under %s the value %j as %j', (name, value, shown) => {
    expect(maskSecretsIn({[name]: value})).toEqual({[name]: shown})
    expect(maskSecretsIn({[name]: shown})).toEqual({[name]: shown})
  })

  test.each([
    ['password', 'string'],
    ['password', 'Enter your password'],
    ['token', '${TOKEN}'],
    ['secret', '/run/secrets/db'],
    ['sessionId', '550e8400-e29b-41d4-a716-446655440000'],
    ['max_tokens', '4096'],
    ['tokenizer', 'cl100k_base12345'],
    ['signature', `${some(80)}==`],
  ])('keeps under %s the text %j', (name, value) => {
    const object = {[name]: value}
    expect(maskSecretsIn(object)).toBe(object)
  })

  test('masks the value of a name-value pair, and an argument by its flag', () => {
    expect(maskSecretsIn([{name: 'DB_PASSWORD', value: 'letmein'}])).toEqual([
      {name: 'DB_PASSWORD', value: '***'},
    ])
    expect(maskSecretsIn(['login', '--password', 'letmein1', '--user', 'ann'])).toEqual([
      'login',
      '--password',
      '***',
      '--user',
      'ann',
    ])
  })

  test('masks a header that is a list', () => {
    expect(maskSecretsIn({'set-cookie': [`sid=${HIDDEN}; Path=/`, 'theme=dark']})).toEqual({
      'set-cookie': ['sid=***; Path=/', 'theme=dark'],
    })
  })

  test('keeps fields whose masked names are equal', () => {
    const value = {[`ghp_${some(36)}`]: 1, [`ghp_${some(40)}`]: 2}
    expect(Object.values(maskSecretsIn(value))).toEqual([1, 2])
  })

  test('handles deep nesting, shared values and cycles', () => {
    let deep: unknown = `ghp_${some(36)}`
    for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : {deep}
    let masked = maskSecretsIn(deep)
    while (typeof masked === 'object' && masked !== null) masked = Object.values(masked)[0]
    expect(masked).toBe('ghp_***')

    const shared = {password: 'letmein'}
    expect(JSON.stringify(maskSecretsIn([shared, {in: [shared]}, shared]))).not.toContain('letmein')
    const loop: {self?: unknown; password: string} = {password: 'letmein'}
    loop.self = loop
    expect(maskSecretsIn(loop).password).toBe('***')
  })

  test('cannot set a prototype by a name', () => {
    const value: unknown = JSON.parse('{"__proto__":{"password":"letmein"}}')
    expect(JSON.stringify(maskSecretsIn(value))).toBe('{"__proto__":{"password":"***"}}')
  })

  test('leaves values that are not JSON unchanged', () => {
    const value = {
      at: new Date(0),
      bytes: new Uint8Array(2),
      map: new Map([['password', 'letmein']]),
    }
    expect(maskSecretsIn(value)).toBe(value)
  })
})

describe('maskSecrets with any text', () => {
  const fragments = [
    ...SECRETS.map(([text]) => text),
    ...SECRETS.map(([, , shown]) => shown),
    ...NO_SECRETS,

    'password',
    'token',
    'API_KEY',
    'Bearer ',
    'Cookie: ',
    'Authorization',
    'eyJ',
    'sk-',
    '***',

    '=',
    ':',
    ': ',
    '"',
    "'",
    '`',
    '\\',
    '\\n',
    '\\"',
    '\n',
    ' ',
    '-',
    '_',
    '.',
    '@',
    '://',
    '{',
    ',',
  ]
  const soup = fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({maxLength: 8})), {maxLength: 8})
    .map((parts) => parts.join(''))

  test('returns the same result when applied twice', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const once = maskSecrets(text)
        expect(maskSecrets(once)).toBe(once)
      }),
      {numRuns: 20_000},
    )
  })

  test('keeps JSON valid and of the same shape at any nesting depth', () => {
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map((item) => shape(item))
      return typeof value === 'string' ? 'text' : value
    }
    fc.assert(
      fc.property(fc.array(soup, {maxLength: 3}), (texts) => {
        const once = JSON.stringify([...texts, 1])
        const twice = JSON.stringify([once, ...texts])
        expect(shape(JSON.parse(maskSecrets(once)))).toEqual(shape(JSON.parse(once)))
        const [inner] = JSON.parse(maskSecrets(twice)) as [string]
        expect(shape(JSON.parse(inner))).toEqual(shape(JSON.parse(once)))
      }),
      {numRuns: 5000},
    )
  })

  test('is idempotent for JSON values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(soup, soup), (value, texts) => {
        const once = maskSecretsIn([value, texts])
        expect(maskSecretsIn(once)).toBe(once)
      }),
    )
  })
})

// Units that made an earlier or a naive expression backtrack. `node bench/masking.js --hostile` measures the growth.
const HOSTILE_UNITS = JSON.parse(
  readFileSync(new URL('../../bench/hostile-units.json', import.meta.url), 'utf8'),
) as string[]

// Work in proportion to the square of the length would time out. test/slow/masking.test.ts has a million characters.
test.each(HOSTILE_UNITS)('masks 250,000 characters of nothing but %j', (unit) => {
  const text = unit.repeat(Math.ceil(250_000 / unit.length))
  const masked = maskSecrets(text)
  expect(maskSecrets(masked)).toBe(masked)
})

test('masks only planted secrets in recordings', () => {
  const root = new URL('../agents/', import.meta.url)
  const found: string[] = []
  for (const file of readdirSync(root, {recursive: true, encoding: 'utf8'}).toSorted()) {
    if (!file.includes('fixtures') || !file.endsWith('.jsonl')) continue
    for (const line of readFileSync(new URL(file, root), 'utf8').split('\n')) {
      const masked = maskSecrets(line)
      if (masked === line) continue
      found.push(`${file}: ${masked.split('***').length - line.split('***').length}`)
    }
  }
  expect(found).toMatchInlineSnapshot(`
    [
      "amp/fixtures/0.0.1790142911/no_login.jsonl: 1",
    ]
  `)
})
