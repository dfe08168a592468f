#!/usr/bin/env node
// Prints nothing and never exits.

import {hang} from './lines.js'

hang()
