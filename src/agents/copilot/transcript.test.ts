import {describeDamage} from '../../../test/support/describe-damage.ts'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {copilotTranscripts} from './transcript.ts'

// A fork shows its own part only: records that are older than the session are copies.
describeTruth(copilotTranscripts, {hasOriginEvents: false})
describeDamage(copilotTranscripts)
