/** Counters of a hub. */
export interface HubCounters {
  messagesSent: number
  bytesSent: number
  ingestedBytes: number
  gaps: number
  rejected: number
}

/** Gauges of a hub. */
export interface HubGauges {
  clients: number
  runners: number
  liveRuns: number
  unindexedRecordings: number
}

/** Creates the counters of a hub. */
export function createCounters(): HubCounters {
  return {messagesSent: 0, bytesSent: 0, ingestedBytes: 0, gaps: 0, rejected: 0}
}

/** Formats the metrics of a hub for Prometheus. */
export function formatMetrics(counters: HubCounters, gauges: HubGauges): string {
  const rows: [string, 'counter' | 'gauge', string, number][] = [
    ['messages_sent_total', 'counter', 'Messages sent to clients.', counters.messagesSent],
    ['bytes_sent_total', 'counter', 'Bytes of messages sent to clients.', counters.bytesSent],
    ['ingest_bytes_total', 'counter', 'Bytes received from runners.', counters.ingestedBytes],
    ['gaps_total', 'counter', 'Gap messages sent to slow clients.', counters.gaps],
    ['requests_rejected_total', 'counter', 'Rejected requests.', counters.rejected],
    ['clients', 'gauge', 'Connected clients.', gauges.clients],
    ['runners', 'gauge', 'Connected runners.', gauges.runners],
    ['live_runs', 'gauge', 'Runs that have not ended.', gauges.liveRuns],
    [
      'unindexed_recordings',
      'gauge',
      'Recordings waiting to be indexed.',
      gauges.unindexedRecordings,
    ],
    ['resident_bytes', 'gauge', 'Resident memory of the process.', process.memoryUsage.rss()],
    ['uptime_seconds', 'gauge', 'Uptime of the process.', Math.round(process.uptime())],
  ]
  return rows
    .map(([name, type, help, value]) => {
      const full = `vitrine_${name}`
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`
    })
    .join('')
}
