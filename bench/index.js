// All benchmarks, one after the other: npm run bench
await import('./decode.js')
await import('./view.js')
await import('./memory.js')
