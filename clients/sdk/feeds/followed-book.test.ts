import { describe, expect, test } from 'vitest';
import { bookChecksum } from '../../../protocol/feeds/checksum.ts';
import { FollowedBook } from './followed-book.ts';
import { played, receive } from './played-feed.fixtures.ts';

type Levels = [number, number][];

const said = (type: string, sequence: number, bids: Levels, whole: Levels, more: object = {}) => ({
  type,
  channel: 'orderbook',
  symbol: 'ACME-USD',
  sequence,
  bids,
  asks: [],
  checksum: bookChecksum(whole, []),
  timestamp: 1,
  ...more,
});
const snapshot = (sequence: number, bids: Levels) => said('orderbook_snapshot', sequence, bids, bids);
const update = (prev: number, sequence: number, bids: Levels, whole: Levels) =>
  said('orderbook_update', sequence, bids, whole, { prev_sequence: prev });
const heartbeat = (sequence: number) => ({ type: 'heartbeat', channel: 'orderbook', symbol: 'ACME-USD', sequence });
const subscribed = (sequence: number) => ({ ...heartbeat(sequence), type: 'subscribed' });

function following() {
  const feed = played();
  feed.connection.start();
  feed.sockets[0]?.onopen?.();
  const followed = new FollowedBook(feed.connection, 'ACME-USD', 50);
  const subscriptions = (socket: number) =>
    feed.sockets[socket]?.said.filter(({ type, channel }) => type === 'subscribe' && channel === 'orderbook') ?? [];
  return { ...feed, followed, subscriptions };
}

describe('a book that is followed', () => {
  test('is healing until its snapshot, and fresh from then on', () => {
    const { followed, sockets } = following();
    expect(followed.state).toBe('healing');
    receive(sockets[0], snapshot(3, [[25, 10]]));
    expect([followed.state, followed.book.bids]).toEqual(['fresh', [[25, 10]]]);
  });

  test('begins anew, once, where a message is missing', () => {
    const { followed, sockets, subscriptions } = following();
    receive(sockets[0], snapshot(3, [[25, 10]]));
    receive(sockets[0], update(5, 6, [[24, 1]], []));
    receive(sockets[0], update(6, 7, [[23, 1]], []));
    expect([followed.state, subscriptions(0).length]).toEqual(['healing', 2]);
    receive(sockets[0], snapshot(7, [[24, 1]]));
    expect([followed.state, followed.book.sequence]).toEqual(['fresh', 7]);
  });

  test('begins anew where the checksum differs, and where a heartbeat is ahead of it', () => {
    const { followed, sockets, subscriptions } = following();
    receive(sockets[0], snapshot(3, [[25, 10]]));
    receive(sockets[0], update(3, 4, [[24, 1]], [[24, 1]]));
    expect([followed.state, subscriptions(0).length]).toEqual(['healing', 2]);
    receive(sockets[0], snapshot(4, [[25, 10]]));
    receive(sockets[0], heartbeat(4));
    expect(followed.state).toBe('fresh');
    receive(sockets[0], heartbeat(5));
    expect([followed.state, subscriptions(0).length]).toEqual(['healing', 3]);
  });

  test('is stale while the connection is lost, resumes behind what it has, and is fresh once that is confirmed', () => {
    const { followed, sockets, subscriptions, fire } = following();
    receive(sockets[0], snapshot(3, [[25, 10]]));
    sockets[0]?.onclose?.();
    expect([followed.state, followed.book.bids]).toEqual(['stale', [[25, 10]]]);
    fire();
    sockets[1]?.onopen?.();
    expect(subscriptions(1)).toEqual([
      { type: 'subscribe', channel: 'orderbook', symbol: 'ACME-USD', depth: 50, resume_from: 3 },
    ]);
    expect(followed.state).toBe('healing');
    receive(sockets[1], subscribed(4));
    expect(followed.state).toBe('healing');
    const whole: Levels = [
      [25, 10],
      [24, 1],
    ];
    receive(sockets[1], update(3, 4, [[24, 1]], whole));
    expect([followed.state, followed.book.bids]).toEqual(['fresh', whole]);
  });

  test('is fresh at once after a loss in which nothing happened, and says why it is not served', () => {
    const { followed, sockets, fire } = following();
    receive(sockets[0], snapshot(3, [[25, 10]]));
    sockets[0]?.onclose?.();
    fire();
    sockets[1]?.onopen?.();
    receive(sockets[1], subscribed(3));
    expect(followed.state).toBe('fresh');
    receive(sockets[1], {
      type: 'error',
      channel: 'orderbook',
      symbol: 'ACME-USD',
      code: 'INVALID_SYMBOL',
      message: 'gone',
    });
    expect([followed.state, followed.refused?.code]).toEqual(['healing', 'INVALID_SYMBOL']);
  });

  test('is one of several of its pair in one connection: one subscription has the greatest depth, and each shows its own', () => {
    const { connection, followed, sockets, subscriptions, fire } = following();
    const deep = new FollowedBook(connection, 'ACME-USD', 100);
    const shallow = new FollowedBook(connection, 'ACME-USD', 1);
    expect(subscriptions(0).map(({ depth }) => depth)).toEqual([50, 100, 100]);
    const whole: Levels = Array.from({ length: 60 }, (_, place) => [100 - place, 1]);
    receive(sockets[0], snapshot(3, whole));
    receive(sockets[0], update(3, 4, [[100, 2]], [[100, 2], ...whole.slice(1)]));
    const shown = [followed, deep, shallow].map(({ state, book }) => [state, book.bids.length, book.bids[0]?.[1]]);
    expect(shown).toEqual([
      ['fresh', 50, 2],
      ['fresh', 60, 2],
      ['fresh', 1, 2],
    ]);

    deep.stop();
    expect(subscriptions(0).at(-1)).toEqual({
      type: 'subscribe',
      channel: 'orderbook',
      symbol: 'ACME-USD',
      depth: 50,
    });
    receive(sockets[0], snapshot(4, whole.slice(0, 50)));
    // What is told no more is not gone on from after a loss.
    sockets[0]?.onclose?.();
    followed.stop();
    fire();
    sockets[1]?.onopen?.();
    expect(subscriptions(1)).toEqual([{ type: 'subscribe', channel: 'orderbook', symbol: 'ACME-USD', depth: 1 }]);
  });
});
