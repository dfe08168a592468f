#!/usr/bin/env node
// Is done, and never exits.

import {hang, init, print, result, says} from './lines.js'

print(init(), says('Done.'), result('Done.'))
hang()
