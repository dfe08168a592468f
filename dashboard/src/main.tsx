import {createRoot} from 'react-dom/client'
import './styles/tokens.css'
import './styles/base.css'
import {App} from './app.tsx'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
