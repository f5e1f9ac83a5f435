import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { freePort, isPortFree } from '../../scripts/local/port.ts';

/** The lowest port that Linux, as it comes, gives a socket that asks for any. */
const GIVEN_FROM = 32_768;

test('a port that is chosen is free, and none that a socket is given which asks for any', async () => {
  const chosen = await Promise.all(Array.from({ length: 50 }, freePort));
  for (const port of chosen) {
    expect(port).toBeGreaterThan(1_023);
    expect(port).toBeLessThan(GIVEN_FROM);
    expect(await isPortFree(port)).toBe(true);
  }
  expect(new Set(chosen).size).toBeGreaterThan(40);
});

const loopbacks = Object.values(networkInterfaces()).flatMap((of) =>
  (of ?? []).filter(({ internal }) => internal).map(({ address }) => address),
);

test.each(loopbacks)('a port that somebody listens on at %s is not free', async (host) => {
  const server = createServer();
  const port = await freePort();
  server.listen({ port, host });
  await once(server, 'listening');
  expect(await isPortFree(port)).toBe(false);
  server.close();
  await once(server, 'close');
  expect(await isPortFree(port)).toBe(true);
});
