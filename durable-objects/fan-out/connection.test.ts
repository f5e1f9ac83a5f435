import { describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';

const MEBIBYTE = 1 << 20;

/** A socket of a runtime that says how much of it waits. */
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
  return { socket, sent, closed, connection: new Connection(socket as unknown as WebSocket, attachment) };
}

describe('in a runtime that says what a client has not read', () => {
  it('a client that reads is never closed nor pinged, however much it is sent', () => {
    const { connection, sent, closed } = socketWith(0);
    const text = 'x'.repeat(MEBIBYTE);
    for (let i = 0; i < 64; i++) expect(connection.send(text)).toBe(true);
    expect(closed).toEqual([]);
    expect(sent.filter((one) => one.startsWith('{"type":"ping"'))).toEqual([]);
  });

  it('a client that leaves more than 8 MiB unread is closed with 1013, whatever it answers', () => {
    const { connection, socket, closed } = socketWith(8 * MEBIBYTE);
    const text = 'x'.repeat(MEBIBYTE);
    expect(connection.send(text)).toBe(true);
    socket.bufferedAmount = 8 * MEBIBYTE + 1;
    expect(connection.send(text)).toBe(false);
    expect(closed).toEqual([1013]);
  });
});

describe('in a runtime that does not', () => {
  it('a client that answers no ping is not closed for it', () => {
    const { connection, closed } = socketWith(undefined);
    const text = 'x'.repeat(MEBIBYTE);
    for (let i = 0; i < 64; i++) expect(connection.send(text)).toBe(true);
    expect(closed).toEqual([]);
  });

  it('a client that has answered one, and stops, is closed after 8 MiB', () => {
    const { connection, closed } = socketWith(undefined);
    const text = 'x'.repeat(MEBIBYTE);
    connection.send(text);
    connection.confirm(MEBIBYTE);
    let sent = 0;
    while (connection.send(text) && sent < 64) sent += 1;
    expect(sent).toBe(8);
    expect(closed).toEqual([1013]);
  });
});
