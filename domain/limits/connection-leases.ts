/** Concurrent WebSocket connections of a user (X-LIM-04). */
export const CONNECTIONS_MAX = 5;
/** Concurrent streams of a partner's organization; each is of one security. */
export const STREAMS_MAX = 100;
/** As many of them on one book, which keeps what they leave unread. */
export const STREAMS_PER_BOOK_MAX = 5;
/** A holder that was lost frees its place after this; a live one takes its lease again in time. */
export const CONNECTION_LEASE_MS = 60_000;

/** Concurrent connections of one principal, each under an id that its holder chose. */
export class ConnectionLeases {
  readonly #endsAt = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes or renews a place; false when all are taken. `now` is in Unix milliseconds. */
  acquire(connectionId: string, now: number): boolean {
    for (const [id, endsAt] of this.#endsAt) if (endsAt <= now) this.#endsAt.delete(id);
    if (!this.#endsAt.has(connectionId) && this.#endsAt.size >= this.#max) return false;
    this.#endsAt.set(connectionId, now + CONNECTION_LEASE_MS);
    return true;
  }

  release(connectionId: string): void {
    this.#endsAt.delete(connectionId);
  }
}
