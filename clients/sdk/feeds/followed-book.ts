import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';
import type { FeedConnection, Topic } from './feed-connection.ts';
import type { Freshness } from './freshness.ts';
import { LocalBook } from './local-book.ts';

/**
 * A pair's book that heals by itself: it resumes after a loss, and begins anew where a message is missing or a checksum differs. Act on
 * its prices while it is `fresh`.
 */
export class FollowedBook {
  readonly book: LocalBook;
  /** Why the exchange does not serve it: an unknown pair, or one that may not be seen. */
  refused: { readonly code: string; readonly message: string } | null = null;
  readonly #connection: FeedConnection;
  readonly #topic: Topic;
  readonly #watchers = new Set<() => void>();
  readonly #ends: (() => void)[];
  /** The server has said since the last connection that nothing is missing. */
  #isConfirmed = false;

  constructor(connection: FeedConnection, symbol: string, depth: number) {
    this.book = new LocalBook(depth);
    this.#connection = connection;
    this.#topic = { channel: 'orderbook', symbol, depth };
    const resume = () => (this.book.isLive ? this.book.sequence : null);
    this.#ends = [
      connection.watch(() => this.#connectionChanged()),
      connection.follow(this.#topic, (message) => this.#receive(message), resume),
    ];
  }

  get state(): Freshness {
    if (this.#isConfirmed) return 'fresh';
    return this.#connection.state.is === 'live' || !this.book.isLive ? 'healing' : 'stale';
  }

  /** Told of each change of the book and of its state; returns the way to end that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  stop(): void {
    for (const end of this.#ends) end();
    this.#watchers.clear();
  }

  #receive(message: FeedMessage): void {
    switch (message.type) {
      case 'orderbook_snapshot':
      case 'orderbook_update': {
        const wasLive = this.book.isLive;
        const applied = this.book.apply(message);
        if (applied === 'stale') return;
        // A snapshot is under way already where it was not live before.
        if (applied !== 'applied' && (wasLive || message.type === 'orderbook_snapshot')) this.#again();
        this.#become(applied === 'applied');
        return;
      }
      case 'subscribed':
        if (this.book.isLive && message.sequence === this.book.sequence) this.#become(true);
        return;
      case 'heartbeat':
        if (message.sequence > this.book.sequence) this.#again();
        this.#become(this.book.isLive && message.sequence <= this.book.sequence);
        return;
      case 'reset':
        this.#become(false);
        return;
      case 'error':
        this.refused = { code: message.code, message: message.message };
        this.#become(false);
        return;
    }
  }

  #again(): void {
    this.#connection.again(this.#topic);
  }

  #connectionChanged(): void {
    this.#become(this.#isConfirmed && this.#connection.state.is === 'live');
  }

  #become(isConfirmed: boolean): void {
    this.#isConfirmed = isConfirmed;
    for (const watcher of this.#watchers) watcher();
  }
}
