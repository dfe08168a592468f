#!/usr/bin/env node
// Prints an error result with the subtype `success` and exits with 0.

import {assistantText, init, print, result} from './lines.js'

const error = 'API Error: 529 Overloaded'
print(init(), assistantText(error), result(error, {total_cost_usd: 0, is_error: true}))
