/**
 * The core of Vitrine: streams into lines and lines into records, with nothing lost. No dependency,
 * runs in Node and in a browser.
 *
 * @module
 */
export {extractResult, isComplete} from './completion.ts'
export {isRecord} from './json.ts'
export {
  createLineDecoder,
  type Chunk,
  type Decoder,
  type LineFlaw,
  type LineOptions,
  type LineReader,
} from './lines.ts'
export {
  createRecordDecoder,
  parseRecord,
  type BlankRecord,
  type JsonRecord,
  type LineRecord,
  type MalformedReason,
  type MalformedRecord,
  type RecordBase,
} from './records.ts'
export {
  decodeStream,
  DecoderStream,
  type Source,
  type StreamOptions,
  type WebStream,
} from './stream.ts'
