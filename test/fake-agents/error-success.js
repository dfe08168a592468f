#!/usr/bin/env node
// Failed, says `success`, and exits with 0.

import {init, print, result, says} from './lines.js'

const error = 'API Error: 529 Overloaded'
print(init(), says(error), result(error, {total_cost_usd: 0, is_error: true}))
