import react from '@vitejs/plugin-react'
import {defineConfig} from 'vite'

// Built into the package, from where the hub serves it. Nothing of it is fetched from anywhere else.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: {modules: {generateScopedName: '[local]_[hash:base64:4]'}},
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // A font or picture in the text of a style would need an exception in the policy of the page.
    assetsInlineLimit: 0,
    modulePreload: {polyfill: false},
    rolldownOptions: {
      output: {
        // One file with both layers of styles, so that it alone decides which of them wins.
        codeSplitting: {groups: [{name: 'ui', test: /dashboard[\\/]src[\\/](?:styles|ui)[\\/]/}]},
      },
    },
  },
})
