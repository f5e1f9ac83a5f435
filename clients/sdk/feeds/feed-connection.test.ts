import { describe, expect, test } from 'vitest';
import { bookChecksum } from '../../../protocol/feeds/checksum.ts';
import { FeedConnection, type Socket } from './feed-connection.ts';

/** Sockets and timers that the test moves by hand. */
function played() {
  const sockets: (Socket & { readonly said: Record<string, unknown>[] })[] = [];
  const timers: { run: () => void; ms: number; ended: boolean }[] = [];
  const connection = new FeedConnection({
    open: () => {
      const said: Record<string, unknown>[] = [];
      const socket = {
        said,
        onopen: null,
        onclose: null,
        onmessage: null,
        send: (text: string) => void said.push(JSON.parse(text)),
        close: () => {},
      };
      sockets.push(socket);
      return socket;
    },
    now: () => 5_000,
    later: (run, ms) => {
      const timer = { run, ms, ended: false };
      timers.push(timer);
      return () => {
        timer.ended = true;
      };
    },
  });
  const fire = () => {
    const timer = timers.filter(({ ended }) => !ended).at(-1);
    if (timer === undefined) throw new Error('no timer waits');
    timer.ended = true;
    timer.run();
  };
  return { connection, sockets, timers, fire };
}

function receive(socket: Socket | undefined, message: object): void {
  socket?.onmessage?.({ data: JSON.stringify(message) });
}

const snapshot = (sequence: number, bids: [number, number][]) => ({
  type: 'orderbook_snapshot',
  channel: 'orderbook',
  symbol: 'ACME-USD',
  sequence,
  bids,
  asks: [],
  checksum: bookChecksum(bids, []),
  timestamp: 1,
});

describe('the feed', () => {
  test('is lost with its connection, comes back by itself, and follows the same anew', () => {
    const { connection, sockets, fire } = played();
    connection.follow({ channel: 'account' }, () => {});
    connection.start();
    expect(connection.state).toEqual({ is: 'connecting' });
    sockets[0]?.onopen?.();
    expect(connection.state).toEqual({ is: 'live' });
    sockets[0]?.onclose?.();
    expect(connection.state).toEqual({ is: 'lost', since: 5_000 });
    fire();
    sockets[1]?.onopen?.();
    expect(connection.state).toEqual({ is: 'live' });
    expect(sockets[1]?.said).toEqual([{ type: 'subscribe', channel: 'account' }]);
  });

  test('waits longer after each failure', () => {
    const { connection, sockets, timers, fire } = played();
    connection.start();
    for (let tries = 0; tries < 3; tries++) {
      sockets[tries]?.onclose?.();
      fire();
    }
    expect(timers.map(({ ms }) => ms)).toEqual([500, 1_000, 2_000]);
  });

  test('takes a connection that says nothing for dead', () => {
    const { connection, sockets, fire } = played();
    connection.start();
    sockets[0]?.onopen?.();
    fire();
    expect(connection.state).toEqual({ is: 'lost', since: 5_000 });
  });

  test('asks for a fresh snapshot where a message of the book is missing', () => {
    const { connection, sockets } = played();
    connection.start();
    sockets[0]?.onopen?.();
    const seen: number[] = [];
    connection.followBook('ACME-USD', 50, (book) => seen.push(book.sequence));
    receive(sockets[0], snapshot(3, [[25, 10]]));
    receive(sockets[0], { ...snapshot(6, []), type: 'orderbook_update', prev_sequence: 5, bids: [[24, 1]] });
    expect(sockets[0]?.said.filter(({ channel }) => channel === 'orderbook')).toHaveLength(2);
    receive(
      sockets[0],
      snapshot(6, [
        [25, 10],
        [24, 1],
      ]),
    );
    expect(seen).toEqual([3, 6]);
  });

  test('answers pings, and hands a message to those alone who follow its topic', () => {
    const { connection, sockets } = played();
    connection.start();
    sockets[0]?.onopen?.();
    const heard: string[] = [];
    const end = connection.follow({ channel: 'trades', symbol: 'ACME-USD' }, ({ type }) => heard.push(type));
    receive(sockets[0], { type: 'ping', id: 7 });
    receive(sockets[0], { type: 'trade', channel: 'trades', symbol: 'MAPLE-USD' });
    receive(sockets[0], { type: 'trade', channel: 'trades', symbol: 'ACME-USD' });
    end();
    receive(sockets[0], { type: 'trade', channel: 'trades', symbol: 'ACME-USD' });
    expect(heard).toEqual(['trade']);
    expect(sockets[0]?.said).toContainEqual({ type: 'pong', id: 7 });
    expect(sockets[0]?.said.at(-1)).toEqual({ type: 'unsubscribe', channel: 'trades', symbol: 'ACME-USD' });
  });
});
