import { expect, test } from 'vitest';
import { RevocationMemory } from './revocation-memory.ts';

test('a token of an old grant holds, however many others of its subject were seen since', async () => {
  const memory = new RevocationMemory(async () => new Set());
  await memory.isRevoked(['grant'], 0);
  for (let i = 1; i < 1_000; i++) await memory.isRevoked([`token-${i}`], 0);
  expect(await memory.isRevoked(['another token', 'grant'], 0)).toBe(false);
});
