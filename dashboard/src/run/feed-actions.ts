/** Commands of the page to its feed. */
export interface FeedActions {
  /** Scrolls a row into view and optionally focuses it. */
  reveal(index: number, isFocused: boolean): void
}
