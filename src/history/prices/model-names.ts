/** The form in which names are compared: without case, and with `-` for `.`, because agents use both in versions. */
export function toModelKey(name: string): string {
  return name.trim().toLowerCase().replaceAll('.', '-')
}

/**
 * The keys of the names that a model can be listed under, the most specific first. Only parts that do not change the
 * model are left out: provider, region, context size, revision and date.
 */
export function listModelKeys(model: string): string[] {
  const name = model.trim().toLowerCase()
  if (name.length > MAX_NAME_LENGTH || LOCAL_PROVIDER.test(name)) return [toModelKey(name)]
  const names = new Set(listPathEnds(name))
  for (const shorten of SHORTENERS) {
    for (const shorter of Array.from(names, shorten)) names.add(shorter)
  }
  return [...names].map(toModelKey)
}

/** No model has such a long name. */
const MAX_NAME_LENGTH = 200

/** A model on the user's own machine has no list price, even if others sell it. */
const LOCAL_PROVIDER = /^(?:llama-?cpp|llama\.cpp|lm-?studio|local|localhost|mlx|ollama|vllm)[/:]/

/** `openrouter/qwen/qwen3-max`: also `qwen/qwen3-max` and `qwen3-max`. */
function listPathEnds(name: string): string[] {
  const parts = name.split('/')
  return parts.map((_, index) => parts.slice(index).join('/'))
}

/** `us.anthropic.claude-…` of Amazon Bedrock, or `openai:gpt-…`. */
const VENDOR =
  /^(?:[a-z-]+\.)?(?:amazon|anthropic|deepseek|google|meta|minimax|mistral|mistralai|moonshot|moonshotai|openai|qwen|x-ai|xai|z-ai|zai)[.:]/

const SHORTENERS: readonly ((name: string) => string)[] = [
  // `claude-opus-5-5[1m]`
  (name) => name.replace(/\[\w*\]$/, ''),
  (name) => name.replace(VENDOR, ''),
  // `claude-opus-4-1@20250805` of Google Cloud
  (name) => name.replace(/@[\w-]*$/, ''),
  // `claude-sonnet-4-5-20250929-v1:0`, `nova-pro-v1:0:300k`
  (name) => name.replace(/-v\d+:\d+(?::\d+k)?$/, ''),
  (name) => name.replace(/^((?:claude|nova)-.+)-v\d+$/, '$1'),
  (name) => name.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, ''),
  (name) => name.replace(/-latest$/, ''),
  (name) => name.replace(/^(?=(?:fable|haiku|mythos|opus|sonnet)-\d)/, 'claude-'),
]
