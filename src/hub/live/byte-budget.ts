/** Bounds the memory that all connections together occupy in the hub. */
export interface ByteBudget {
  /** Opens the account of one connection; `onEvict` closes the connection. */
  open(onEvict: () => void): ByteAccount
  /** How many bytes count now. */
  readonly used: number
}

/** The bytes of one connection. */
interface ByteAccount {
  /** Sets how many bytes it occupies now. */
  set(bytes: number): void
  close(): void
}

/** The limits of a budget. */
export interface ByteBudgetOptions {
  maxBytes: number
  /** A connection below this size neither counts nor is evicted. */
  freeBytes: number
}

/**
 * Creates a budget. When all connections together exceed it, those that have occupied bytes for the longest time
 * without a break are evicted: a connection that makes progress is never the first.
 */
export function createByteBudget({maxBytes, freeBytes}: ByteBudgetOptions): ByteBudget {
  /** Accounts that count, the oldest first. */
  const held = new Map<ByteAccount, {bytes: number; onEvict: () => void}>()
  let used = 0

  return {
    get used() {
      return used
    },
    open(onEvict) {
      let isClosed = false
      const account: ByteAccount = {
        set(bytes) {
          if (isClosed) return
          if (bytes <= freeBytes) return forget(account)
          const entry = held.get(account)
          used += bytes - (entry?.bytes ?? 0)
          if (entry === undefined) held.set(account, {bytes, onEvict})
          else entry.bytes = bytes
          evict()
        },
        close() {
          isClosed = true
          forget(account)
        },
      }
      return account
    },
  }

  function forget(account: ByteAccount): void {
    used -= held.get(account)?.bytes ?? 0
    held.delete(account)
  }

  function evict(): void {
    for (const [account, {onEvict}] of held) {
      if (used <= maxBytes) return
      account.close()
      onEvict()
    }
  }
}
