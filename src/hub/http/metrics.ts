const METRICS = {
  messages_sent_total: ['counter', 'Messages sent to clients.'],
  bytes_sent_total: ['counter', 'Bytes of messages sent to clients.'],
  ingest_bytes_total: ['counter', 'Bytes received from runners.'],
  gaps_total: ['counter', 'Gap messages sent to slow clients.'],
  requests_rejected_total: ['counter', 'Rejected requests.'],
  clients: ['gauge', 'Connected clients.'],
  runners: ['gauge', 'Connected runners.'],
  live_runs: ['gauge', 'Runs that have not ended.'],
  unindexed_recordings: ['gauge', 'Recordings waiting to be indexed.'],
  resident_bytes: ['gauge', 'Resident memory of the process.'],
  uptime_seconds: ['gauge', 'Uptime of the process.'],
} as const

/** Formats metrics for Prometheus. */
export function formatMetrics(values: Readonly<Record<keyof typeof METRICS, number>>): string {
  const lines = Object.entries(METRICS).map(([key, [type, help]]) => {
    const name = `vitrine_${key}`
    const value = values[key as keyof typeof METRICS]
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`
  })
  return lines.join('')
}
