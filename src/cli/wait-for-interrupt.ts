/** Waits for SIGINT, SIGTERM or SIGHUP. */
export function waitForInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      let isWanted = false
      process.on(signal, () => {
        // A second signal exits immediately.
        if (isWanted) process.exit(130)
        isWanted = true
        resolve()
      })
    }
  })
}
