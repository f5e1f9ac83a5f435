import type { BookSnapshotMessage, BookUpdateMessage, FeedMessage } from '../../protocol/feeds/server-message.ts';
import { LocalBook } from '../sdk/feeds/local-book.ts';

/** The part of a WebSocket that this client uses; the platform's own in browsers, Node and Workers fits. */
export interface FeedSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/**
 * Reference client of one feed connection: answers the server's pings, keeps a correct book for each pair it follows, and takes a fresh
 * snapshot when a message is missing or a checksum differs. Hand it every message that arrives.
 */
export class FeedClient {
  readonly #socket: FeedSocket;
  readonly #books = new Map<string, LocalBook>();
  /** How often a book had to begin anew. */
  resyncs = 0;

  constructor(socket: FeedSocket) {
    this.#socket = socket;
  }

  /** Follows a pair's book; the returned copy is right once it has had its snapshot. */
  followBook(symbol: string, depth = 50): LocalBook {
    const book = new LocalBook(depth);
    this.#books.set(symbol, book);
    this.#subscribe(symbol, depth);
    return book;
  }

  /** Takes one message as it came off the wire; returns it parsed. */
  receive(text: string): FeedMessage {
    const message = JSON.parse(text) as FeedMessage;
    if (message.type === 'ping') this.#socket.send(JSON.stringify({ type: 'pong', id: message.id }));
    else if (message.type === 'orderbook_snapshot' || message.type === 'orderbook_update') this.#apply(message);
    else if (message.type === 'heartbeat' && message.channel === 'orderbook')
      this.#notice(message.symbol, message.sequence);
    return message;
  }

  #apply(message: BookSnapshotMessage | BookUpdateMessage): void {
    const book = this.#books.get(message.symbol);
    const applied = book?.apply(message);
    if (applied === 'gap' || applied === 'checksum') this.#resync(message.symbol);
  }

  /** A heartbeat ahead of the book says that the last message was lost. */
  #notice(symbol: string, sequence: number): void {
    const book = this.#books.get(symbol);
    if (book !== undefined && book.sequence < sequence) this.#resync(symbol);
  }

  #resync(symbol: string): void {
    this.resyncs += 1;
    this.#subscribe(symbol, this.#books.get(symbol)?.depth ?? 50);
  }

  #subscribe(symbol: string, depth: number): void {
    this.#socket.send(JSON.stringify({ type: 'subscribe', channel: 'orderbook', symbol, depth }));
  }
}
