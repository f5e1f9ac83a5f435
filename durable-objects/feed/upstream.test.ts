import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openingReply, readInnerRequest, topicFrames } from '../fan-out/inner-protocol.ts';
import { Upstream } from './upstream.ts';

const KEY = 'trades ACME-USD';

/** The book's end of one socket: a test says what it answers, and when. */
class BookSocket {
  readonly heard: string[] = [];
  readonly #listeners = new Map<string, (event: { data: string }) => void>();

  accept(): void {}

  close(): void {}

  addEventListener(type: string, listener: (event: { data: string }) => void): void {
    this.#listeners.set(type, listener);
  }

  send(text: string): void {
    this.heard.push(text);
  }

  /** Answers the request to open that came as the n-th. */
  answer(n: number, messages: readonly object[]): void {
    const request = readInnerRequest(this.heard[n] ?? '');
    if (request.type !== 'open') throw new Error(`not an open: ${this.heard[n]}`);
    this.#tell(
      'message',
      openingReply(
        request.ref,
        messages.map((message) => JSON.stringify(message)),
      ),
    );
  }

  publish(...sequences: number[]): void {
    for (const frame of topicFrames(
      KEY,
      sequences.map((sequence) => JSON.stringify({ type: 'trade', sequence })),
    ))
      this.#tell('message', frame);
  }

  break(): void {
    this.#tell('error', '');
    this.#tell('close', '');
  }

  /** What was asked, as it reads. */
  get requests(): string[] {
    return this.heard.map((text) => {
      const request = readInnerRequest(text);
      return request.type === 'close' ? 'close' : `open after ${request.resumeFrom}`;
    });
  }

  #tell(type: string, data: string): void {
    this.#listeners.get(type)?.({ data });
  }
}

/** An upstream to a book whose sockets are all at hand, and clients with what each of them has been told. */
function upstreamToBook() {
  const sockets: BookSocket[] = [];
  const fetch = async () => {
    const socket = new BookSocket();
    sockets.push(socket);
    return { webSocket: socket, status: 101 };
  };
  const followers = new Map<string, unknown[]>();
  const upstream = new Upstream(
    { ORDER_BOOK: { getByName: () => ({ fetch }) } } as unknown as Env,
    'ACME-USD',
    'feed',
    {
      publish: (_, texts) => {
        for (const told of followers.values()) told.push(...sequencesOf(texts));
      },
      follows: () => followers.size > 0,
    },
  );
  const open = (name: string, resumeFrom: number | null = null) =>
    upstream.open(KEY, resumeFrom, (messages) => followers.set(name, sequencesOf(messages)));
  return { upstream, sockets, followers, open };
}

const sequencesOf = (texts: readonly string[]): unknown[] =>
  texts.map((text) => {
    const { type, sequence } = JSON.parse(text) as { type: string; sequence: number };
    return type === 'trade' ? sequence : type;
  });

/** Everything that follows without waiting for the clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a topic whose socket was lost', () => {
  it('tells its followers all that they missed, though another client comes to it first, and nobody anything twice', async () => {
    const { sockets, followers, open } = upstreamToBook();
    const first = open('first');
    await settle();
    sockets[0]?.answer(0, [{ type: 'subscribed', sequence: 4 }]);
    expect(await first).toBeNull();
    sockets[0]?.publish(5);

    sockets[0]?.break();
    const second = open('second');
    await settle();
    expect(sockets).toHaveLength(2);
    expect(sockets[1]?.requests).toEqual(['open after 5']);
    sockets[1]?.answer(0, [
      { type: 'subscribed', sequence: 7 },
      { type: 'trade', sequence: 6 },
      { type: 'trade', sequence: 7 },
    ]);
    await settle();
    expect(sockets[1]?.requests).toEqual(['open after 5', 'open after null']);
    sockets[1]?.answer(1, [{ type: 'subscribed', sequence: 7 }]);
    expect(await second).toBeNull();
    sockets[1]?.publish(8);
    expect(followers.get('first')).toEqual(['subscribed', 5, 6, 7, 8]);
    expect(followers.get('second')).toEqual(['subscribed', 8]);
  });

  it('goes on where it was after a second loss before it was taken up', async () => {
    const { sockets, followers, open } = upstreamToBook();
    const first = open('first');
    await settle();
    sockets[0]?.answer(0, [{ type: 'subscribed', sequence: 4 }]);
    await first;
    sockets[0]?.break();
    await settle();
    const second = open('second');
    await settle();
    sockets[1]?.break();
    expect(await second).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // It tries again by itself.
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sockets[2]?.requests).toEqual(['open after 4']);
    sockets[2]?.answer(0, [
      { type: 'subscribed', sequence: 5 },
      { type: 'trade', sequence: 5 },
    ]);
    await settle();
    sockets[2]?.publish(6);
    expect(followers.get('first')).toEqual(['subscribed', 5, 6]);
    expect(sockets).toHaveLength(3);
  });
});

describe('a topic whose client leaves while it is being opened', () => {
  it('is closed at the book once the wait for it ends', async () => {
    const { upstream, sockets } = upstreamToBook();
    const left = upstream.open(KEY, null, () => undefined);
    await settle();
    expect(sockets[0]?.requests).toEqual(['open after null']);
    sockets[0]?.answer(0, [{ type: 'subscribed', sequence: 0 }]);
    await left;
    await settle();
    expect(sockets[0]?.requests).toEqual(['open after null', 'close']);
    expect(upstream.isEmpty).toBe(true);
  });

  it('stays open for another one who waits for it', async () => {
    const { upstream, sockets, followers, open } = upstreamToBook();
    const left = upstream.open(KEY, null, () => undefined);
    const waiting = open('waiting');
    await settle();
    sockets[0]?.answer(0, [{ type: 'subscribed', sequence: 0 }]);
    await left;
    sockets[0]?.answer(1, [{ type: 'subscribed', sequence: 0 }]);
    await waiting;
    sockets[0]?.publish(1);
    await settle();
    expect(sockets[0]?.requests).not.toContain('close');
    expect(followers.get('waiting')).toEqual(['subscribed', 1]);
  });
});
