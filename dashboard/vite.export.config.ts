import react from '@vitejs/plugin-react'
import {defineConfig} from 'vite'

// One script and one style for `vitrine export`, which puts both into a page that loads nothing. As a library
// nothing of it is loaded later, pictures are in the style, and there is no page that could name other files.
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react()],
  css: {modules: {generateScopedName: '[local]_[hash:base64:4]'}},
  define: {'process.env.NODE_ENV': '"production"'},
  build: {
    outDir: '../dist/dashboard-export',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 1000,
    lib: {
      entry: 'src/export/main.tsx',
      formats: ['iife'],
      name: 'vitrine',
      fileName: () => 'export.js',
      cssFileName: 'export',
    },
    rolldownOptions: {output: {codeSplitting: false}},
  },
})
