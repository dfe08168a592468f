import {describeTruth} from '../../../test/support/describe-truth.ts'
import {claudeTranscripts} from './transcript.ts'

// Claude Code does not record the origin of a fork.
describeTruth(claudeTranscripts, {hasForkedFrom: false})
