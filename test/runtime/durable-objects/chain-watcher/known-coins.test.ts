import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { chainWatcherOf } from '../../../../durable-objects/chain-watcher/api.ts';

const NAME = 'acme/bitcoin-segwit/testnet/known-coins';
const [DEPOSITED, PAID, OTHER] = ['ab', 'cd', 'ef'].map((pair) => pair.repeat(32)) as [string, string, string];
const tx = (digit: string) => digit.repeat(64);

/** Takes coins for a transfer, as a watcher does that has chosen them. */
const taken = (commitment: string, ...coins: readonly { readonly txid: string; readonly vout: number }[]) =>
  runInDurableObject(env.CHAIN_WATCHER.getByName(NAME), (_, { storage }) => {
    const reference = JSON.stringify({ inputs: coins.map((coin) => ({ ...coin, value: '1', commitment: null })) });
    const insert = "INSERT INTO payments (commitment, kind, attempt, reference) VALUES (?, 'payout', 0, ?)";
    storage.sql.exec(insert, commitment, reference);
  });

const known = () =>
  runInDurableObject(env.CHAIN_WATCHER.getByName(NAME), (_, { storage }) =>
    storage.sql
      .exec<{ reference: string }>('SELECT reference FROM coins ORDER BY reference')
      .toArray()
      .map(({ reference }) => reference),
  );

test('a watcher remembers deposits that it was told of and what payments have left, until a payment has spent them', async () => {
  const watcher = chainWatcherOf(env, NAME);
  const paidOut = { terms: {} as never, payment: null };
  for (let time = 0; time < 2; time += 1) await watcher.deposited(DEPOSITED, paidOut, `${tx('1')}:0`);
  expect(await known()).toEqual([`${tx('1')}:0`]);
  await taken(PAID, { txid: tx('2'), vout: 1 });
  await watcher.ended(PAID, tx('3'));
  expect(await known()).toEqual([`${tx('1')}:0`, tx('3')]);
  await watcher.ended(PAID, tx('4'));
  expect(await known()).toEqual([`${tx('1')}:0`, tx('3')]);
  await taken(OTHER, { txid: tx('3'), vout: 1 }, { txid: tx('1'), vout: 0 });
  await watcher.ended(OTHER, tx('5'));
  expect(await known()).toEqual([tx('5')]);
  // Of a deposit that is spent it is told as well, until all signers have noted it.
  await watcher.deposited(DEPOSITED, paidOut, `${tx('1')}:0`);
  expect(await known()).toEqual([tx('5')]);
});

test('coins of a payment that ended by nothing that is known stay remembered', async () => {
  const watcher = chainWatcherOf(env, NAME);
  await taken('12'.repeat(32), { txid: tx('5'), vout: 0 });
  await watcher.ended('12'.repeat(32));
  expect(await known()).toEqual([tx('5')]);
});
