import {defineHostileTests} from '../support/hostile-checks.ts'

// test/slow/dashboard-hostile.test.ts has texts of up to 5 MB, also at the width of a desktop.
await defineHostileTests({maxLength: 25_000, widths: [390]})
