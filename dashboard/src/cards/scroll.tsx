import {useLayoutEffect, useRef, type ReactNode} from 'react'

/** A box whose content may be wider than it is, and that can then be reached by key. */
export function Scroll({
  className,
  label,
  children,
}: {
  className: string
  label: string
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null) markScroller(box.current)
  })
  return (
    // A group of lines is none of the elements that are groups.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className={className} ref={box} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** Makes the boxes within an element that scroll reachable by key. */
export function markScrollers(element: HTMLElement, selector: string): void {
  for (const box of element.querySelectorAll<HTMLElement>(selector)) markScroller(box)
}

function markScroller(box: HTMLElement): void {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  else box.removeAttribute('tabindex')
}
