/** Says what is not watched, each kind of reason once. */
export interface LimitNotes {
  /** A limit of ours is met. */
  reached(name: 'maxFolders' | 'maxFiles', most: number): void
  /** The root is not there. */
  gone(): void
  /** A folder cannot be watched. */
  failed(folder: string, watchedCount: number, error: unknown): void
}

/** Makes notes of what is not watched. */
export function createLimitNotes(onLimit: (reason: string) => void): LimitNotes {
  const told = new Set<string>()

  return {
    reached(name, most) {
      const what = name === 'maxFolders' ? 'directories' : 'files'
      tell(name, `only ${most} ${what} are watched for changes; there are more (${name})`)
    },
    gone() {
      tell('gone', 'the working directory was removed: file changes are no longer reported')
    },
    failed(folder, watchedCount, error) {
      const {code = '', message} = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        // What goes away while it is looked at is no loss, unless it is all there is.
        if (folder === '') this.gone()
      } else if (code === 'ENOSPC' || code === 'EMFILE') {
        const setting = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances'
        const only = `only ${watchedCount} directories are watched for changes`
        tell(code, `${only}: the system limit is reached (fs.inotify.${setting})`)
      } else {
        const which = folder === '' ? 'the working directory' : `the directory ${folder}`
        const why = code === 'EACCES' ? 'permission denied' : message
        tell(code, `${which} is not watched for changes: ${why}`)
      }
    },
  }

  function tell(kind: string, reason: string): void {
    if (told.has(kind)) return
    told.add(kind)
    onLimit(reason)
  }
}
