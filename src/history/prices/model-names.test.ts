import {describe, expect, test} from 'vitest'
import {listModelKeys, toModelKey} from './model-names.ts'

describe('listModelKeys', () => {
  test.each([
    ['claude-opus-5-5[1m]', 'claude-opus-5-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['anthropic:claude-opus-5', 'claude-opus-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0',
      'claude-haiku-4-5',
    ],
    ['claude-3-5-sonnet-v2@20241022', 'claude-3-5-sonnet'],
    ['Opus-5-5', 'claude-opus-5-5'],
    ['us.amazon.nova-pro-v1:0:300k', 'nova-pro'],
    ['openrouter/qwen/qwen3-coder', 'qwen3-coder'],
    ['models/gemini-2.5-pro', 'gemini-2-5-pro'],
    ['publishers/google/models/gemini-2.5-flash@001', 'gemini-2-5-flash'],
    ['openai/gpt-5.5-2026-04-23', 'gpt-5-5'],
    ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
  ])('reduces %s to %s', (model, key) => {
    expect(listModelKeys(model)).toContain(key)
  })

  test('begins with the complete name', () => {
    expect(listModelKeys('OpenAI/gpt-4o-2024-05-13')).toEqual([
      'openai/gpt-4o-2024-05-13',
      'gpt-4o-2024-05-13',
      'openai/gpt-4o',
      'gpt-4o',
    ])
  })

  test.each(['gpt-5.5-mini', 'qwen3-coder:free', 'ft:gpt-4.1', 'kimi-k2-0905', 'mimo-v2', ''])(
    'keeps %j as it is',
    (model) => {
      expect(listModelKeys(model)).toEqual([toModelKey(model)])
    },
  )

  test('keeps the names of local models and names that are too long', () => {
    const long = 'a/'.repeat(50_000)
    for (const model of ['ollama/qwen3-coder', 'lmstudio/openai/gpt-oss-20b', long]) {
      expect(listModelKeys(model)).toEqual([model])
    }
  })
})
