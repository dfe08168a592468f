import {authAudit} from './auth-audit.js'
import {behindGlass} from './behind-glass.js'
import {dateHelpers} from './date-helpers.js'
import {deadCode} from './dead-code.js'
import {environment} from './environment.js'
import {flakyTest} from './flaky-test.js'
import {importerStream} from './importer-stream.js'
import {importerTests} from './importer-tests.js'
import {issueSummary} from './issue-summary.js'
import {migrationGuide} from './migration-guide.js'
import {nightlyBuild} from './nightly-build.js'
import {payoutCurrency} from './payout-currency.js'
import {refundWebhook} from './refund-webhook.js'
import {releaseNotes} from './release-notes.js'
import {releasePush} from './release-push.js'
import {schemaBump} from './schema-bump.js'

/** All scenarios of the demo. The longest come first, because they are recorded concurrently. */
export const scenarios = [
  refundWebhook,
  flakyTest,
  authAudit,
  dateHelpers,
  deadCode,
  nightlyBuild,
  schemaBump,
  migrationGuide,
  importerStream,
  importerTests,
  releasePush,
  payoutCurrency,
  issueSummary,
  environment,
  behindGlass,
  releaseNotes,
]
