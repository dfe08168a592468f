import {defineHostileTests} from '../support/hostile-checks.ts'

// test/slow/dashboard-hostile.test.ts has texts of up to 5 MB and opens every row at both widths.
await defineHostileTests({maxLength: 25_000, walkedWidths: [390]})
