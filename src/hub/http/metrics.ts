/** Counters of a hub. */
export interface HubCounters {
  messagesSent: number
  bytesSent: number
  bytesTaken: number
  gaps: number
  refused: number
}

/** Gauges of a hub. */
export interface HubGauges {
  clients: number
  runners: number
  liveRuns: number
  waitingRuns: number
  backlog: number
}

/** Creates the counters of a hub. */
export function createCounters(): HubCounters {
  return {messagesSent: 0, bytesSent: 0, bytesTaken: 0, gaps: 0, refused: 0}
}

/** Formats the metrics of a hub for Prometheus. */
export function formatMetrics(counters: HubCounters, gauges: HubGauges): string {
  const rows: [string, 'counter' | 'gauge', string, number][] = [
    ['messages_sent_total', 'counter', 'Messages given to clients.', counters.messagesSent],
    ['bytes_sent_total', 'counter', 'Bytes of messages given to clients.', counters.bytesSent],
    ['bytes_taken_total', 'counter', 'Bytes taken in from runners.', counters.bytesTaken],
    ['gaps_total', 'counter', 'Times that a client was too slow.', counters.gaps],
    ['requests_refused_total', 'counter', 'Requests that were refused.', counters.refused],
    ['clients', 'gauge', 'Clients that are connected.', gauges.clients],
    ['runners', 'gauge', 'Runners that are connected.', gauges.runners],
    ['live_runs', 'gauge', 'Runs that are not over.', gauges.liveRuns],
    ['waiting_runs', 'gauge', 'Recordings that wait to be indexed.', gauges.waitingRuns],
    ['index_backlog', 'gauge', 'Messages that wait to be indexed.', gauges.backlog],
    ['resident_bytes', 'gauge', 'Memory of the process.', process.memoryUsage.rss()],
    ['uptime_seconds', 'gauge', 'How long it runs.', Math.round(process.uptime())],
  ]
  return rows
    .map(([name, type, help, value]) => {
      const full = `vitrine_${name}`
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`
    })
    .join('')
}
