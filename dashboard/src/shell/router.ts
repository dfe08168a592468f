import {useSyncExternalStore} from 'react'

/** A place in the dashboard. */
export type Place =
  | {page: 'runs'}
  | {page: 'run'; runId: string}
  | {page: 'usage'}
  | {page: 'nowhere'}

/** Parses a path such as `/runs/7f3a`. */
export function parsePath(path: string): Place {
  if (/^\/(?:runs\/?|search\/?)?$/.test(path)) return {page: 'runs'}
  if (path === '/usage' || path === '/usage/') return {page: 'usage'}
  const runId = /^\/runs\/([^/]+)\/?$/.exec(path)?.[1]
  if (runId === undefined) return {page: 'nowhere'}
  try {
    return {page: 'run', runId: decodeURIComponent(runId)}
  } catch {
    return {page: 'nowhere'}
  }
}

/** The path of a run, with a query such as `{seq: '12'}`. */
export function pathOfRun(runId: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query)
  return `/runs/${encodeURIComponent(runId)}${search.size === 0 ? '' : `?${search}`}`
}

/** Navigates to a path of the dashboard. */
export function navigate(to: string, {isReplacing = false} = {}): void {
  try {
    if (isReplacing) history.replaceState(null, '', to)
    else history.pushState(null, '', to)
  } catch {
    // Not every browser lets a page opened from a file change its URL.
    return
  }
  // Browsers send it only for steps in the history.
  dispatchEvent(new PopStateEvent('popstate'))
  if (!isReplacing) scrollTo(0, 0)
}

/** Changes some fields of the query; `undefined` removes a field. Replaces the history entry by default. */
export function updateQuery(
  fields: Record<string, string | undefined>,
  {isStep = false} = {},
): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  if (url.href === location.href) return
  navigate(url.pathname + url.search + url.hash, {isReplacing: !isStep})
}

/** The current path. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** A field of the query; empty when absent. */
export function useQuery(name: string): string {
  return useSyncExternalStore(subscribe, () => new URLSearchParams(location.search).get(name) ?? '')
}

/** The complete query, such as `?kind=run`. */
export function useSearchText(): string {
  return useSyncExternalStore(subscribe, () => location.search)
}

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener)
  return () => removeEventListener('popstate', listener)
}
