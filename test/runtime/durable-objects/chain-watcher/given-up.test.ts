import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { chainWatcherOf } from '../../../../durable-objects/chain-watcher/api.ts';

const NAME = 'acme/bitcoin-segwit/testnet/given-up';
const coin = (digit: string) => ({ txid: digit.repeat(64), vout: 0, value: '5000', commitment: null });
const spending = (...digits: string[]) => JSON.stringify({ inputs: digits.map(coin), fee: '100' });
const [GIVEN_UP, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];

/** Takes a reference for a transfer, as a watcher does that has chosen it. */
const taken = (commitment: string, reference: string) =>
  runInDurableObject(env.CHAIN_WATCHER.getByName(NAME), (_, { storage }) => {
    const insert = "INSERT OR REPLACE INTO payments (commitment, kind, attempt, reference) VALUES (?, 'payout', 0, ?)";
    storage.sql.exec(insert, commitment, reference);
  });

const underWay = () =>
  runInDurableObject(env.CHAIN_WATCHER.getByName(NAME), (_, { storage }) =>
    storage.sql
      .exec<{ commitment: string }>('SELECT commitment FROM payments WHERE is_over = 0 ORDER BY commitment')
      .toArray()
      .map(({ commitment }) => commitment),
  );

test('coins of a payment that was given up are taken again as long as no other payment has any of them', async () => {
  const watcher = chainWatcherOf(env, NAME);
  const reference = spending('1', '2');
  await taken(GIVEN_UP, reference);
  await watcher.ended(GIVEN_UP);
  expect(await underWay()).toEqual([]);
  await taken(OTHER, spending('3'));
  expect(await watcher.takesAgain(GIVEN_UP, reference)).toBe(true);
  expect(await underWay()).toEqual([GIVEN_UP, OTHER]);
  await watcher.ended(GIVEN_UP);
  await taken(OTHER, spending('3', '2'));
  expect(await watcher.takesAgain(GIVEN_UP, reference)).toBe(false);
  expect(await underWay()).toEqual([OTHER]);
  await watcher.ended(OTHER);
  expect(await watcher.takesAgain(GIVEN_UP, reference)).toBe(true);
});
