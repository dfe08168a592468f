import {defineHostileTests} from '../support/hostile-checks.ts'

await defineHostileTests({maxLength: Infinity, widths: [390, 1280]})
