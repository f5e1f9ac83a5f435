import type { RateSubject } from './address.ts';

/** Concurrent WebSocket connections of a user (X-LIM-04). */
export const CONNECTIONS_MAX = 5;
/** Concurrent streams of a partner's organization; each is of one security. */
export const STREAMS_MAX = 100;
/** As many of them on one book, which keeps what they leave unread. */
export const STREAMS_PER_BOOK_MAX = 5;
/** A holder that was lost frees its place after this; a live one takes its lease again in time. */
export const CONNECTION_LEASE_MS = 60_000;

/** Of whom nothing but the one principal counts. */
const ITSELF: readonly RateSubject[] = [{ name: '', times: 1 }];

interface Lease {
  readonly endsAt: number;
  readonly subjects: readonly RateSubject[];
}

/** Concurrent connections of one principal, or of the addresses of one prefix, each under an id that its holder chose. */
export class ConnectionLeases {
  readonly #leases = new Map<string, Lease>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes or renews a place; false when one of the subjects has all of its own. `now` is in Unix milliseconds. */
  acquire(connectionId: string, now: number, subjects = ITSELF): boolean {
    for (const [id, { endsAt }] of this.#leases) if (endsAt <= now) this.#leases.delete(id);
    if (!this.#leases.has(connectionId) && subjects.some((subject) => this.#isFull(subject))) return false;
    this.#leases.set(connectionId, { endsAt: now + CONNECTION_LEASE_MS, subjects });
    return true;
  }

  release(connectionId: string): void {
    this.#leases.delete(connectionId);
  }

  #isFull({ name, times }: RateSubject): boolean {
    let taken = 0;
    for (const { subjects } of this.#leases.values()) if (subjects.some((subject) => subject.name === name)) taken++;
    return taken >= this.#max * times;
  }
}
