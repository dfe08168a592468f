/**
 * The adapter kit: everything that an adapter for one more agent needs. `src/agents/README.md` has a worked example.
 *
 * @module
 */
export {
  reportIncomplete,
  type Adapter,
  type Control,
  type Decision,
  type Draft,
  type OpenTool,
  type PendingUsage,
  type Rule,
  type StderrStatus,
  type Translator,
  type TranslatorContext,
} from './core/events/adapter.ts'
export {
  createArgumentReader,
  type ArgumentGrammar,
  type ArgumentReader,
} from './core/events/arguments.ts'
export {
  createTextDeduplicator,
  type TextKind,
  type TextContext,
  type TextDeduplicator,
} from './core/events/deduplicate-text.ts'
export {
  defineTools,
  failTool,
  findToolKind,
  readTodos,
  reportStatus,
  type ToolFailure,
} from './core/events/drafts.ts'
export {
  createEventDecoder,
  createEventParser,
  type EventDecoder,
  type EventDecoderOptions,
  type EventParser,
  type EventParserOptions,
} from './core/events/event-parser.ts'
export {hasOption, optionValue} from './core/events/flags.ts'
export {readPlan, readPlanStatus} from './core/events/plan.ts'
export {
  defineShapes,
  kindByType,
  type DriftItem,
  type Shape,
  type Shapes,
  type ShapeTable,
} from './core/events/shapes.ts'
export {summarize} from './core/events/summarize.ts'
export {countDiff, countLines, cutText} from './core/text/text.ts'
export {
  encodeJson,
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from './core/wire/json.ts'
