import { describe, expect, test } from 'vitest';
import { OwnAccount } from './own-account.ts';
import { played, receive } from './played-feed.fixtures.ts';

const of = (type: string, sequence: number, more: object = {}) => ({
  type,
  channel: 'account',
  symbol: '*',
  sequence,
  timestamp: 1,
  ...more,
});
const order = (id: string, status: string, filled = 0) => ({
  symbol: 'ACME-USD',
  order_id: id,
  client_order_id: `c-${id}`,
  order_type: 'limit',
  status,
  filled_size: filled,
});
const balance = (asset: string, free: number) => ({ asset, free, locked: 0 });

function following() {
  const feed = played();
  const heard: string[] = [];
  feed.connection.start();
  feed.sockets[0]?.onopen?.();
  const account = new OwnAccount(feed.connection, {
    order: ({ order_id, status }) => heard.push(`${order_id} ${status}`),
    fill: ({ order_id, size }) => heard.push(`${order_id} filled ${size}`),
    interrupted: () => heard.push('interrupted'),
  });
  return { ...feed, account, heard };
}

function snapshots(socket: Parameters<typeof receive>[0], sequence: number, ids: readonly string[]): void {
  for (const [place, id] of ids.entries()) {
    const orders = [order(id, 'open')];
    receive(socket, of('orders_snapshot', sequence, { orders, more: place < ids.length - 1 }));
  }
  receive(socket, of('balances_snapshot', sequence, { balances: [balance('USD', 100.5)] }));
}

describe('the own account', () => {
  test('is whole after all parts of its snapshots, and follows one sequence', () => {
    const { account, sockets, heard } = following();
    receive(sockets[0], of('orders_snapshot', 4, { orders: [order('a', 'open')], more: true }));
    expect([account.state, account.orders.size]).toEqual(['healing', 0]);
    receive(sockets[0], of('orders_snapshot', 4, { orders: [order('b', 'open')], more: false }));
    expect(account.state).toBe('healing');
    receive(sockets[0], of('balances_snapshot', 4, { balances: [balance('USD', 100.5)] }));
    expect([account.state, [...account.orders.keys()], account.sequence]).toEqual(['fresh', ['a', 'b'], 4]);
    receive(
      sockets[0],
      of('fill', 5, { prev_sequence: 4, symbol: 'ACME-USD', order_type: 'limit', order_id: 'a', size: 2 }),
    );
    receive(sockets[0], of('order', 6, { prev_sequence: 5, ...order('a', 'filled', 2) }));
    receive(sockets[0], of('order', 6, { prev_sequence: 5, ...order('a', 'open', 1) }));
    receive(sockets[0], of('balance', 7, { prev_sequence: 6, ...balance('USD', 60) }));
    expect(heard).toEqual(['a open', 'b open', 'a filled 2', 'a filled']);
    expect([[...account.orders.keys()], account.balances.get('USD')?.free]).toEqual([['b'], 60]);
  });

  test('forgets half of its snapshots with the connection that they came by', () => {
    const { account, sockets, fire } = following();
    receive(sockets[0], of('orders_snapshot', 4, { orders: [order('a', 'open')], more: false }));
    receive(sockets[0], of('orders_snapshot', 4, { orders: [order('b', 'open')], more: true }));
    sockets[0]?.onclose?.();
    fire();
    sockets[1]?.onopen?.();
    receive(sockets[1], of('balances_snapshot', 9, { balances: [] }));
    expect(account.state).toBe('healing');
    receive(sockets[1], of('orders_snapshot', 9, { orders: [order('c', 'open')], more: false }));
    expect([account.state, [...account.orders.keys()]]).toEqual(['fresh', ['c']]);
  });

  test('begins anew where a message is missing, and says that it was interrupted', () => {
    const { account, sockets, heard } = following();
    snapshots(sockets[0], 4, ['a']);
    receive(sockets[0], of('order', 7, { prev_sequence: 6, ...order('a', 'cancelled') }));
    expect([account.state, heard.at(-1)]).toEqual(['healing', 'interrupted']);
    expect(sockets[0]?.said.filter(({ channel }) => channel === 'account')).toHaveLength(2);
    snapshots(sockets[0], 7, []);
    receive(sockets[0], of('orders_snapshot', 7, { orders: [], more: false }));
    expect([account.state, account.orders.size, account.sequence]).toEqual(['fresh', 0, 7]);
  });

  test('resumes after a loss; where what followed is gone it takes fresh snapshots', () => {
    const { account, sockets, heard, fire } = following();
    snapshots(sockets[0], 4, ['a']);
    sockets[0]?.onclose?.();
    expect(account.state).toBe('stale');
    fire();
    sockets[1]?.onopen?.();
    expect(sockets[1]?.said).toEqual([{ type: 'subscribe', channel: 'account', resume_from: 4 }]);
    receive(sockets[1], of('subscribed', 4));
    expect([account.state, heard.includes('interrupted')]).toEqual(['fresh', false]);
    receive(sockets[1], of('reset', 90));
    expect([account.state, heard.at(-1)]).toEqual(['healing', 'interrupted']);
    snapshots(sockets[1], 90, ['b']);
    expect([account.state, [...account.orders.keys()]]).toEqual(['fresh', ['b']]);
  });
});
