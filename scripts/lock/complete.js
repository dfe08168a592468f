/**
 * @typedef {Record<string, unknown> & {
 *   version?: string,
 *   dev?: boolean,
 *   optionalDependencies?: Record<string, string>,
 * }} LockEntry
 * @typedef {{packages: Record<string, LockEntry>}} Lock
 */

// `binding-linux-x64-gnu`: operating system, processor and, for Linux, C library.
const PLATFORM =
  /-(?<os>android|darwin|freebsd|linux|openharmony|win32)-(?<cpu>arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(?<abi>eabi|gnu|gnueabihf|musl|musleabihf|msvc))?$/
const WASI = /-wasm32-wasi$/

/**
 * The lock with an entry for each optional dependency that has none, and the names of those.
 *
 * @param {Lock} lock
 * @returns {{completed: Lock, added: string[]}}
 */
export function completeLock(lock) {
  const packages = {...lock.packages}
  /** @type {string[]} */
  const added = []
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock, path, name)) continue
      packages[`node_modules/${name}`] = createEntry(name, version, entry.dev === true)
      added.push(name)
    }
  }
  const sorted = Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  return {completed: {...lock, packages: Object.fromEntries(sorted)}, added}
}

/**
 * Whether a package finds a dependency in its own folder or in one above it.
 *
 * @param {Lock} lock
 * @param {string} path
 * @param {string} name
 */
function isLocked(lock, path, name) {
  for (let folder = path; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
    if (`${prefix}node_modules/${name}` in lock.packages) return true
    if (folder === '') return false
  }
}

/**
 * @param {string} name
 * @param {string} version
 * @param {boolean} isDev
 * @returns {LockEntry}
 */
function createEntry(name, version, isDev) {
  const platform = readPlatform(name)
  if (platform === undefined) {
    throw new Error(
      `package-lock.json lacks ${name}, and its platform is not known from its name: run npm install with a registry that has it.`,
    )
  }
  if (!/^\d+\.\d+\.\d+/.test(version)) {
    throw new Error(`package-lock.json lacks ${name}, and ${version} names no single version.`)
  }
  const {os, cpu, libc} = platform
  return {
    version,
    cpu: [cpu],
    ...(isDev && {dev: true}),
    ...(libc !== undefined && {libc: [libc]}),
    optional: true,
    ...(os !== undefined && {os: [os]}),
  }
}

/**
 * @param {string} name
 * @returns {{os?: string, cpu: string, libc?: string} | undefined}
 */
function readPlatform(name) {
  if (WASI.test(name)) return {cpu: 'wasm32'}
  const {os, cpu, abi} = PLATFORM.exec(name)?.groups ?? {}
  if (os === undefined || cpu === undefined) return undefined
  if (os !== 'linux' || abi === undefined) return {os, cpu}
  return {os, cpu, libc: abi.startsWith('musl') ? 'musl' : 'glibc'}
}
