/** Vertical extent in the list, in pixels. */
interface Extent {
  start: number
  end: number
}

/** The visible range when the height of a row changes. */
export interface AnchorContext {
  view: Extent
  selected?: Extent | undefined
  /** Whether the height of the row was only estimated until now. */
  isFirstMeasure: boolean
}

/**
 * Whether the feed scrolls by the amount that a row grew, so that the content below the row keeps its place. The anchor is the
 * selected row while it is in view, else the top of the view.
 */
export function isAboveAnchor(
  row: Extent,
  {view, selected, isFirstMeasure}: AnchorContext,
): boolean {
  const isInView = selected !== undefined && selected.end > view.start && selected.start < view.end
  const anchor = isInView ? Math.max(view.start, selected.start) : view.start
  // A row across the anchor grows at its end, below the anchor. An estimate may be wrong anywhere.
  return isFirstMeasure ? row.start < anchor : row.end <= anchor
}
