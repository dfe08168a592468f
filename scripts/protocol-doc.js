// Writes the lists of routes, parameters and fields in docs/protocol.md, which are generated from the schemas of the hub.
//
//   npm run build && node scripts/protocol-doc.js

import {readFileSync, writeFileSync} from 'node:fs'
import {createOpenApi} from '../dist/hub/protocol/openapi.js'
import {fillProtocolPage} from './docs/protocol-page.js'

const page = new URL('../docs/protocol.md', import.meta.url)
writeFileSync(page, fillProtocolPage(readFileSync(page, 'utf8'), createOpenApi('')))
