import {defineHostileTests} from '../support/hostile-checks.ts'

await defineHostileTests({maxLength: Infinity, walkedWidths: [390, 1280]})
