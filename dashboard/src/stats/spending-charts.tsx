import {useMemo} from 'react'
import {countTokens} from '../../../src/core/run/ledger.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {RunSnapshot, Sample} from '../model/run-model.ts'
import {lastBy} from '../model/last-by.ts'
import {formatCost, formatOffset, formatShare, formatTokens} from '../ui/figures.ts'
import {Chart, type Reading} from './chart.tsx'
import {
  describeCompactions,
  describeContext,
  describeCost,
  describeTokens,
  shareOfCache,
} from './describe-spending.ts'
import {listCompactions} from './list-compactions.ts'
import type {LineColor} from './plot.ts'
import styles from './section.module.css'
import {Section} from './section.tsx'
import {
  pickTop,
  toContextLines,
  toCostLines,
  toTokenLines,
  type ChartLines,
} from './spending-lines.ts'
import {thinSamples} from './thin-samples.ts'
import {TokenTable} from './token-table.tsx'

/** Limits the number of points of a chart. */
const MAX_POINTS = 600

const COST: readonly LineColor[] = ['accent']
const CONTEXT: readonly LineColor[] = ['agent']
/** The colours of the token table, from the top. */
const TOKENS: readonly LineColor[] = ['edit', 'shell', 'web', 'read']

/** The usage of a run over time: cost, context and tokens. */
export function SpendingCharts({
  snapshot,
  until,
  startedAt,
  at,
  end,
  run,
  reasoning,
}: {
  snapshot: RunSnapshot
  /** The position of a replay; absent without one. */
  until: number | undefined
  startedAt: number
  /** The end of the shown samples. */
  at: number
  /** The end of the time axis. */
  end: number
  run: RunSummary
  /** How many output tokens were reasoning, if reported. */
  reasoning: number | undefined
}) {
  const {spending} = snapshot
  const {costUsd, isEstimate, tokens} = run
  const all = useMemo(
    () => thinSamples(spending, {start: startedAt, end}, MAX_POINTS),
    // The list grows in place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [snapshot, startedAt, end],
  )
  const samples = useMemo(() => cutSamples(all, spending, until), [all, spending, until])
  const compactions = useMemo(() => listCompactions(snapshot.entries, until), [snapshot, until])
  const edge = Math.max(at, samples.at(-1)?.at ?? 0)
  const axis = {startedAt, edge, end}
  const context = samples.findLast((sample) => sample.context !== undefined)?.context
  const costs = pickKnown(all, readCost)
  const contexts = pickKnown(all, readContext)
  const share = tokens === null ? undefined : shareOfCache(tokens)

  const costContent = useContent(samples, axis, toCostLines, all, readCost)
  const contextContent = useContent(samples, axis, toContextLines, all, readContext, compactions)
  const tokenContent = useContent(samples, axis, toTokenLines, all, countTokens)
  const readings = (read: (sample: Sample) => readonly Reading[]) => (time: number) => {
    const moment = startedAt + time
    const sample = moment > edge ? undefined : lastBy(spending, moment)
    return sample === undefined ? [] : read(sample)
  }
  return (
    <>
      <Section title="Cost" fact={formatCost(costUsd, isEstimate)}>
        {costs.length < 2 ? (
          <p className={styles.explanation}>{explainCost(costs, startedAt, run)}</p>
        ) : (
          <Chart
            label={describeCost(samples, startedAt)}
            colors={COST}
            content={costContent}
            formatValue={formatCost}
            readAt={readings((sample) =>
              sample.costUsd === null
                ? []
                : [{name: 'Cost', value: formatCost(sample.costUsd, sample.isEstimate)}],
            )}
          />
        )}
      </Section>
      {contexts.length > 0 && (
        <Section
          title="Context"
          fact={[
            context === undefined ? '' : formatTokens(context),
            describeCompactions(compactions, startedAt),
          ]
            .filter((part) => part !== '')
            .join(' · ')}
        >
          {contexts.length < 2 ? (
            <p className={styles.explanation}>{explainOnce(contexts, startedAt)}</p>
          ) : (
            <Chart
              label={describeContext(samples, startedAt, compactions)}
              colors={CONTEXT}
              content={contextContent}
              formatValue={formatTokens}
              readAt={readings((sample) =>
                sample.context === undefined
                  ? []
                  : [{name: 'Context', value: formatTokens(sample.context)}],
              )}
            />
          )}
        </Section>
      )}
      {tokens !== null && (
        <Section
          title="Tokens"
          fact={share === undefined ? '' : `${formatShare(share)} of input came from cache`}
        >
          {pickKnown(all, countTokens).length > 1 && (
            <Chart
              label={describeTokens(tokens)}
              colors={TOKENS}
              content={tokenContent}
              formatValue={formatTokens}
              readAt={readings(({output, input, cacheWrite, cacheRead}) => [
                {name: 'Output', value: formatTokens(output)},
                {name: 'Input', value: formatTokens(input)},
                {name: 'Cache write', value: formatTokens(cacheWrite)},
                {name: 'Cache read', value: formatTokens(cacheRead)},
              ])}
            />
          )}
          <TokenTable tokens={tokens} reasoning={reasoning} />
        </Section>
      )}
    </>
  )
}

/** The chart data; its maximum is that of the complete run, so that a replay does not jump. */
function useContent(
  samples: readonly Sample[],
  axis: {startedAt: number; edge: number; end: number},
  toLines: (samples: readonly Sample[], range: {startedAt: number; edge: number}) => ChartLines,
  all: readonly Sample[],
  read: (sample: Sample) => number,
  marks: readonly number[] = NO_MARKS,
) {
  const {startedAt, edge, end} = axis
  const top = useMemo(
    () => pickTop(all.reduce((max, one) => Math.max(max, read(one)), 0)),
    [all, read],
  )
  return useMemo(
    () => ({
      data: toLines(samples, {startedAt, edge}),
      span: Math.max(1, end - startedAt),
      top,
      marks: marks.map((mark) => mark - startedAt),
    }),
    [samples, startedAt, edge, end, toLines, top, marks],
  )
}

const NO_MARKS: readonly number[] = []

/** Samples up to a moment, with an exact sample at that moment. */
function cutSamples(
  samples: readonly Sample[],
  spending: readonly Sample[],
  until: number | undefined,
): readonly Sample[] {
  if (until === undefined) return samples
  const cut = samples.filter((sample) => sample.at <= until)
  const last = lastBy(spending, until)
  return last === undefined || cut.at(-1) === last ? cut : [...cut, last]
}

/** Samples that make a line: a single one does not. */
function pickKnown(samples: readonly Sample[], read: (sample: Sample) => number): Sample[] {
  return samples.filter((sample) => read(sample) > 0)
}

function explainCost(
  costs: readonly Sample[],
  startedAt: number,
  {costUsd, isEstimate}: Pick<RunSummary, 'costUsd' | 'isEstimate'>,
): string {
  if (costs.length > 0) return explainOnce(costs, startedAt)
  if (costUsd === null) return 'Cost not reported'
  if (isEstimate) return 'Estimated from all tokens'
  return costUsd === 0 ? 'No cost reported' : 'Reported once, as a total'
}

function explainOnce(samples: readonly Sample[], startedAt: number): string {
  const [sample] = samples
  return sample === undefined ? '' : `Reported once, at ${formatOffset(sample.at - startedAt)}`
}

function readCost({costUsd}: Sample): number {
  return costUsd ?? 0
}

function readContext({context}: Sample): number {
  return context ?? 0
}
