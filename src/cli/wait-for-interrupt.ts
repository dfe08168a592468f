/** Settles when somebody wants an end, as with Ctrl-C. */
export function waitForInterrupt(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      let isWanted = false
      process.on(signal, () => {
        // Whoever asks twice does not want to wait.
        if (isWanted) process.exit(130)
        isWanted = true
        resolve()
      })
    }
  })
}
