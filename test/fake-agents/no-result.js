#!/usr/bin/env node
// Exits with 0 without a result.

import {assistantText, init, print} from './lines.js'

print(init(), assistantText('I will do that.'))
