#!/usr/bin/env node
// Never speaks.

import {hang} from './lines.js'

hang()
