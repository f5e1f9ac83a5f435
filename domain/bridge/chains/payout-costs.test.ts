import { expect, test } from 'vitest';
import { boundedPayoutCost } from './payout-costs.ts';

test.each([
  // Rent of an account without data: test/node/bridge/machines/solana.test.ts.
  ['solana', 890_880n],
  // Asset Hub, Balances.ExistentialDeposit.
  ['polkadot', 100_000_000n],
  // https://xrpl.org/docs/concepts/accounts/reserves: the base reserve.
  ['xrpl', 1_000_000n],
  // https://developers.stellar.org/docs/learn/fundamentals/lumens: two base reserves.
  ['stellar', 10_000_000n],
  // https://developer.algorand.org/docs/get-details/accounts: the minimum balance.
  ['algorand', 100_000n],
] as const)('a payout of the coin of %s is no less than an account has to keep that it opens', (chain, kept) => {
  expect(BigInt(boundedPayoutCost({ chain, token: null }).least)).toBeGreaterThanOrEqual(kept);
  expect(boundedPayoutCost({ chain, token: 'a token' }).least).toBe('0');
});
