#!/usr/bin/env node
// Exits with 0, but has no result.

import {init, print, says} from './lines.js'

print(init(), says('I will do that.'))
