import { afterAll, expect, vi } from 'vitest';

/** For files that share a process: one that leaves a clock, a function, an environment or a listener to the next is red itself. */
const before = state();

afterAll(() => {
  expect(vi.isFakeTimers(), 'the clock is the real one again').toBe(false);
  const now = state();
  const left = [...before.keys(), ...now.keys()].filter((name) => !Object.is(before.get(name), now.get(name)));
  expect([...new Set(left)], 'nothing is left to the next file').toEqual([]);
});

function state(): Map<string, unknown> {
  const { crypto, fetch, performance, setInterval, setTimeout, WebSocket } = globalThis;
  const found: Record<string, unknown> = {
    fetch,
    setInterval,
    setTimeout,
    WebSocket,
    Date,
    'Date.now': Date.now,
    'Math.random': Math.random,
    'performance.now': performance.now,
    'crypto.getRandomValues': crypto.getRandomValues,
    'crypto.randomUUID': crypto.randomUUID,
    'process.exit': process.exit,
    'process.stdout.write': process.stdout.write,
    'process.stderr.write': process.stderr.write,
    cwd: process.cwd(),
  };
  for (const [name, value] of Object.entries(process.env)) found[`environment: ${name}`] = value;
  for (const name of process.eventNames()) found[`listeners: ${String(name)}`] = process.listenerCount(name);
  return new Map(Object.entries(found));
}
