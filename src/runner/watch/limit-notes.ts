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
      const what = name === 'maxFolders' ? 'folders' : 'files'
      tell(name, `only ${most} ${what} are watched: there are more (${name})`)
    },
    gone() {
      tell('gone', 'the folder is gone: nothing more is seen of it')
    },
    failed(folder, watchedCount, error) {
      const {code = '', message} = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        // What goes away while it is looked at is no loss, unless it is all there is.
        if (folder === '') this.gone()
      } else if (code === 'ENOSPC' || code === 'EMFILE') {
        const setting = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances'
        const only = `only ${watchedCount} of the folders are watched`
        tell(code, `${only}: the system allows no more (fs.inotify.${setting})`)
      } else {
        const which = folder === '' ? 'the folder' : `the folder ${folder}`
        const why = code === 'EACCES' ? 'it may not be read' : message
        tell(code, `${which} is not watched: ${why}`)
      }
    },
  }

  function tell(kind: string, reason: string): void {
    if (told.has(kind)) return
    told.add(kind)
    onLimit(reason)
  }
}
