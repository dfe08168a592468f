import {describeDamage} from '../../../test/support/describe-damage.ts'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import {codexTranscripts} from './transcript.ts'

// A fork shows its own part only: copied records give no events.
describeTruth(codexTranscripts, {hasOriginEvents: false})
describeDamage(codexTranscripts)
