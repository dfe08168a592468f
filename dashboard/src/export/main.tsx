import {createRoot} from 'react-dom/client'
import {FACTS_ID, type ExportedRun} from '../../../src/export/exported-run.ts'
import '../styles/tokens.css'
import '../styles/base.css'
import message from '../shell/message.module.css'
import {stopClock} from '../shell/now.ts'
import {applyTheme} from '../ui/theme.ts'
import {ExportFrame} from './export-frame.tsx'
import {ExportPage} from './export-page.tsx'
import {createFileSource} from './file-source.ts'
import {canUnpack} from './unpack.ts'

applyTheme()
const root = document.getElementById('root')
const facts = document.getElementById(FACTS_ID)?.textContent
if (root !== null && facts !== undefined) show(root, JSON.parse(facts) as ExportedRun)

function show(place: HTMLElement, run: ExportedRun): void {
  const page = createRoot(place)
  if (!canUnpack()) {
    page.render(<TooOld />)
    return
  }
  const source = createFileSource(run.runId)
  // An exported run has a fixed end time: open intervals end at the export.
  stopClock(run.exportedAt)
  void open()
  page.render(
    <ExportFrame run={run}>
      <ExportPage run={run} source={source} />
    </ExportFrame>,
  )

  async function open(): Promise<void> {
    await source.open()
    if (run.state === 'lost') stopClock(source.get().snapshot.lastAt)
  }
}

function TooOld() {
  return (
    <main className={message.message}>
      <h1>This browser is too old</h1>
      <p>
        It cannot decompress the data in this file (DecompressionStream is missing). Open it in
        Chrome or Edge 80, Firefox 113, Safari 16.4, or a newer one.
      </p>
    </main>
  )
}
