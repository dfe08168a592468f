import {useCallback, useSyncExternalStore} from 'react'

/** Screens that show one view at a time. */
export const PHONE = '(max-width: 767px)'

/** Whether the screen matches a media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
