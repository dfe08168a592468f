/** Reports why files are not watched, each kind of reason once. */
export interface LimitReporter {
  /** A configured limit is reached. */
  reached(name: 'maxFolders' | 'maxFiles', max: number): void
  /** The root does not exist. */
  gone(): void
  /** A folder cannot be watched. */
  failed(folder: string, watchedCount: number, error: unknown): void
}

export function createLimitReporter(onLimit: (reason: string) => void): LimitReporter {
  const reported = new Set<string>()

  return {
    reached(name, max) {
      const what = name === 'maxFolders' ? 'directories' : 'files'
      report(name, `only ${max} ${what} are watched for changes; there are more (${name})`)
    },
    gone() {
      report('gone', 'the working directory was removed: file changes are no longer reported')
    },
    failed(folder, watchedCount, error) {
      const {code = '', message} = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        // A folder that is removed during its scan is reported only if it is the root.
        if (folder === '') this.gone()
      } else if (code === 'ENOSPC' || code === 'EMFILE') {
        const setting = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances'
        const only = `only ${watchedCount} directories are watched for changes`
        report(code, `${only}: the system limit is reached (fs.inotify.${setting})`)
      } else {
        const which = folder === '' ? 'the working directory' : `the directory ${folder}`
        const why = code === 'EACCES' ? 'permission denied' : message
        report(code, `${which} is not watched for changes: ${why}`)
      }
    },
  }

  function report(kind: string, reason: string): void {
    if (reported.has(kind)) return
    reported.add(kind)
    onLimit(reason)
  }
}
