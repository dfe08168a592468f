import {createArchiver} from '../../history/archive/archiver.ts'
import {readConfig} from '../../recording/config.ts'
import type {ArchiveState} from '../protocol/history.ts'
import type {Sessions} from './sessions.ts'

/** Creates the calls about the archive of sessions. */
export function createArchiveCalls(
  dataDir: string,
  sessions: Sessions,
  onError: (error: unknown) => void,
) {
  const archiver = createArchiver({
    dataDir,
    isEnabled: readConfig(dataDir).config.archive.enabled,
    readSessions: async () => {
      await sessions.listed
      return sessions.history?.sessions ?? []
    },
    onError,
  })
  const read = async (): Promise<ArchiveState> => {
    await sessions.listed
    return archiver.state(sessions.history?.sessions ?? [])
  }

  return {
    close: archiver.close,
    calls: {
      archiveState: read,
      async startArchive(): Promise<ArchiveState> {
        archiver.start()
        return read()
      },
      async cancelArchive(): Promise<ArchiveState> {
        archiver.cancel()
        return read()
      },
    },
  }
}
