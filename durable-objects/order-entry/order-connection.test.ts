import { describe, expect, it } from 'vitest';
import { type InFlight, type OrderAttachment, OrderConnection } from './order-connection.ts';

const attachment = { id: 'c', cancelsFor: null } as OrderAttachment;
const connectionOf = (inFlight: InFlight) => new OrderConnection({} as WebSocket, attachment, inFlight);
const batch = (length: number) => ({ id: 1, type: 'place_batch', symbol: '', text: 'x'.repeat(length) }) as const;

describe('what the connections of an object have in flight', () => {
  it('is at most 1 Mi characters of one, and 16 Mi of all', () => {
    const inFlight = { length: 0 };
    const connections = Array.from({ length: 17 }, () => connectionOf(inFlight));
    const [first, ...others] = connections as [OrderConnection, ...OrderConnection[]];
    expect(first.ask(batch(1 << 20))).toBe('taken');
    expect(first.ask(batch(1))).toBe('too_many');
    const last = others.pop() as OrderConnection;
    for (const connection of others) expect(connection.ask(batch(1 << 20))).toBe('taken');
    expect(last.ask(batch(1))).toBe('full');
  });

  it('is free again once it is answered, or its connection has ended', () => {
    const inFlight = { length: 0 };
    const connection = connectionOf(inFlight);
    for (const length of [300_000, 200_000, 100_000]) connection.ask(batch(length));
    expect(connection.take()).toHaveLength(1);
    expect(inFlight.length).toBe(600_000);
    connection.forgetWaiting();
    expect(inFlight.length).toBe(300_000);
    connection.answered();
    expect(inFlight.length).toBe(0);
    expect(connection.ask(batch(1 << 20))).toBe('taken');
  });
});

describe('answers that a client does not read', () => {
  it('end its connection beyond 8 MiB, where the runtime counts them', () => {
    const socket = { bufferedAmount: 8 << 20, send: () => undefined };
    const connection = new OrderConnection(socket as unknown as WebSocket, attachment, { length: 0 });
    const answer = 'x'.repeat(1 << 18);
    expect(connection.send(answer)).toBe(true);
    socket.bufferedAmount += 1;
    expect(connection.send(answer)).toBe(false);
  });
});
