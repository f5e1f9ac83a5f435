import { describe, expect, test } from 'vitest';
import { played, receive } from './played-feed.fixtures.ts';

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

  test('is lost by an error and by what is no message, and leaves no socket whose error ends the program', () => {
    for (const fault of ['error', 'not json', 'null']) {
      const { connection, sockets, fire } = played();
      connection.start();
      const socket = sockets[0];
      socket?.onopen?.();
      if (fault === 'error') socket?.onerror?.();
      else socket?.onmessage?.({ data: fault });
      expect(connection.state).toEqual({ is: 'lost', since: 5_000 });
      expect(socket?.onerror).toBeTypeOf('function');
      fire();
      connection.stop();
      expect(sockets[1]?.onerror).toBeTypeOf('function');
    }
  });

  test('has one connection, though it is started while it waits, and hears nothing of the one before', () => {
    const { connection, sockets, timers } = played();
    const heard: string[] = [];
    connection.follow({ channel: 'trades', symbol: 'ACME-USD' }, ({ type }) => heard.push(type));
    connection.start();
    const { onopen, onmessage } = sockets[0] ?? {};
    sockets[0]?.onclose?.();
    connection.start();
    for (const timer of timers) if (!timer.ended) timer.run();
    expect(sockets).toHaveLength(2);
    onopen?.();
    onmessage?.({ data: JSON.stringify({ type: 'trade', channel: 'trades', symbol: 'ACME-USD' }) });
    expect([connection.state.is, heard]).toEqual(['lost', []]);
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

  test('says who it is before it follows anything, and counts a connection as good from then on', async () => {
    const { connection, sockets, timers, fire } = played({ auth: async () => ({ token: 'shh' }) });
    connection.follow(
      { channel: 'account' },
      () => {},
      () => 9,
    );
    connection.start();
    sockets[0]?.onopen?.();
    await Promise.resolve();
    expect(sockets[0]?.said).toEqual([{ type: 'auth', token: 'shh' }]);
    expect(connection.state).toEqual({ is: 'connecting' });
    receive(sockets[0], { type: 'authenticated' });
    expect(sockets[0]?.said.at(-1)).toEqual({ type: 'subscribe', channel: 'account', resume_from: 9 });
    // One that is opened and closed again and again is waited for longer and longer.
    sockets[0]?.onclose?.();
    fire();
    sockets[1]?.onopen?.();
    sockets[1]?.onclose?.();
    expect(timers.filter(({ ended }) => !ended).at(-1)?.ms).toBe(1_000);
  });

  test('resumes where all who follow a topic can, behind the one who has least', () => {
    const { connection, sockets } = played();
    const topic = { channel: 'trades', symbol: 'ACME-USD' };
    connection.follow(
      topic,
      () => {},
      () => 5,
    );
    const end = connection.follow(
      topic,
      () => {},
      () => null,
    );
    connection.start();
    sockets[0]?.onopen?.();
    expect(sockets[0]?.said.at(-1)).toEqual({ type: 'subscribe', ...topic });
    end();
    connection.follow(
      topic,
      () => {},
      () => 3,
    );
    connection.stop();
    connection.start();
    sockets[1]?.onopen?.();
    expect(sockets[1]?.said).toEqual([{ type: 'subscribe', ...topic, resume_from: 3 }]);
  });
});
