import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connection } from './connection.ts';

const MEBIBYTE = 1 << 20;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A socket of a runtime that says how much of it waits; each text is sent in a turn of its own. */
function socketWith(bufferedAmount: number | undefined) {
  const sent: string[] = [];
  const closed: number[] = [];
  const socket = {
    bufferedAmount,
    send: (text: string) => sent.push(text.slice(0, 32)),
    close: (code: number) => closed.push(code),
  };
  const caller = { leaseGate: 'ip:1', clientAddress: '1.2.3.4', identity: null };
  const attachment = { id: 'a', role: 'client', caller, topics: [], idleSince: 0 } as const;
  const connection = new Connection(socket as unknown as WebSocket, attachment);
  const send = (text: string): boolean => {
    vi.setSystemTime(Date.now() + 1);
    return connection.send(text);
  };
  return { socket, sent, closed, connection, send };
}

describe('in a runtime that says what a client has not read', () => {
  it('a client that reads is never closed nor pinged, however much it is sent', () => {
    const { send, sent, closed } = socketWith(0);
    const text = 'x'.repeat(MEBIBYTE);
    for (let i = 0; i < 64; i++) expect(send(text)).toBe(true);
    expect(closed).toEqual([]);
    expect(sent.filter((one) => one.startsWith('{"type":"ping"'))).toEqual([]);
  });

  it('a client that leaves more than 8 MiB unread is closed with 1013, whatever it answers', () => {
    const { send, socket, closed } = socketWith(9 * MEBIBYTE);
    const text = 'x'.repeat(MEBIBYTE);
    expect(send(text)).toBe(true);
    socket.bufferedAmount = 9 * MEBIBYTE + 1;
    expect(send(text)).toBe(false);
    expect(closed).toEqual([1013]);
  });

  it('what one turn sends together counts from the next look on alone', () => {
    const { connection, send, socket, closed } = socketWith(0);
    const text = 'x'.repeat(MEBIBYTE);
    vi.setSystemTime(Date.now() + 1);
    for (let i = 1; i <= 32; i++) {
      socket.bufferedAmount = i * MEBIBYTE;
      expect(connection.send(text)).toBe(true);
    }
    socket.bufferedAmount = 9 * MEBIBYTE;
    expect(send(text)).toBe(true);
    socket.bufferedAmount = 33 * MEBIBYTE;
    expect(send(text)).toBe(false);
    expect(closed).toEqual([1013]);
  });
});

describe('in a runtime that does not', () => {
  it('a client that answers no ping is not closed for it', () => {
    const { send, closed } = socketWith(undefined);
    const text = 'x'.repeat(MEBIBYTE);
    for (let i = 0; i < 64; i++) expect(send(text)).toBe(true);
    expect(closed).toEqual([]);
  });

  it('a client that has answered one, and stops, is closed once it leaves more than 8 MiB of what came before', () => {
    const { connection, send, closed } = socketWith(undefined);
    const text = 'x'.repeat(MEBIBYTE);
    send(text);
    connection.confirm(MEBIBYTE);
    let sent = 0;
    while (send(text) && sent < 64) sent += 1;
    expect(sent).toBe(9);
    expect(closed).toEqual([1013]);
  });

  it('a client that answers what one turn sends together is not closed for it', () => {
    const { connection, send, closed } = socketWith(undefined);
    const text = 'x'.repeat(MEBIBYTE);
    send(text);
    connection.confirm(MEBIBYTE);
    vi.setSystemTime(Date.now() + 1);
    for (let i = 0; i < 32; i++) expect(connection.send(text)).toBe(true);
    connection.confirm(33 * MEBIBYTE);
    expect(send(text)).toBe(true);
    expect(closed).toEqual([]);
  });
});
