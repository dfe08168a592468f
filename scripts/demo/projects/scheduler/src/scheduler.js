/** Runs jobs at their time, the earliest first. */
export function createScheduler({now = Date.now} = {}) {
  const jobs = []
  return {
    add(at, run) {
      jobs.push({at, run})
      jobs.sort((one, other) => one.at - other.at)
    },
    /** Runs what is due. */
    tick() {
      const due = jobs.filter(({at}) => at < now())
      for (const job of due) {
        jobs.splice(jobs.indexOf(job), 1)
        job.run()
      }
      return due.length
    },
  }
}
