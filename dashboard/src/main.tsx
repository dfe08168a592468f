import {createRoot} from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import {App} from './app.tsx'
import {createHub, HubContext} from './hub/hub.tsx'
import {applyTheme} from './ui/theme.ts'

applyTheme()
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <HubContext value={createHub()}>
      <App />
    </HubContext>,
  )
}
