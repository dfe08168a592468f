#!/usr/bin/env node
// Failed, says `success`, and exits with 0.

import {init, print, result, says} from './lines.js'

const error = 'API Error: 529 Overloaded'
print(init(), says(error), result(error, {cost: 0, isError: true}))
