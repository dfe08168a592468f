/**
 * All agents with one event vocabulary: parsers for their output, and the flags that make them print it.
 *
 * @module
 */
export {createAgentDetector, detectAgent, type AgentDetector} from './detect-agent.ts'
export {findAgent} from './find-agent.ts'
export {agents} from './list.ts'
export {createEventDecoder, outputFlags, parserFor} from './parse.ts'
export {
  createStreamParser,
  type LineSource,
  type Readline,
  type StreamParser,
  type StreamParserOptions,
} from './stream-parser.ts'
