/** Bounds the memory that all connections together occupy in the hub. */
export type ByteBudget = ReturnType<typeof createByteBudget>

/**
 * Creates a budget. When all connections together exceed it, those that have occupied bytes for the longest time
 * without a break are evicted: a connection that makes progress is never the first.
 *
 * @param limits - A connection of at most `freeBytes` neither counts nor is evicted.
 */
export function createByteBudget(limits: {maxBytes: number; freeBytes: number}) {
  const {maxBytes, freeBytes} = limits
  /** Accounts that count, the oldest first. */
  const held = new Set<Account>()
  let used = 0

  return {
    /** How many bytes count now. */
    get used() {
      return used
    },
    /** Opens the account of one connection; `onEvict` closes the connection. */
    open(onEvict: () => void) {
      const account: Account = {bytes: 0, isClosed: false, onEvict}
      return {
        /** Sets how many bytes the connection occupies now. */
        set(bytes: number): void {
          if (account.isClosed) return
          count(account, bytes > freeBytes ? bytes : 0)
          evict()
        },
        close: () => close(account),
      }
    },
  }

  function count(account: Account, bytes: number): void {
    used += bytes - account.bytes
    account.bytes = bytes
    if (bytes === 0) held.delete(account)
    else held.add(account)
  }

  function close(account: Account): void {
    account.isClosed = true
    count(account, 0)
  }

  function evict(): void {
    for (const account of held) {
      if (used <= maxBytes) return
      close(account)
      account.onEvict()
    }
  }
}

interface Account {
  /** How many bytes count. */
  bytes: number
  isClosed: boolean
  onEvict(): void
}
