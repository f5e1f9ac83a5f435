import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Vault } from './chains/chain-adapter.ts';
import { CHAIN_NAMES } from './chains/chain-name.ts';
import { boundedPayoutCost, coinDecimals } from './chains/payout-costs.ts';
import { floorsOf, type LaneTerms, laneTermsOf, quoteTerms, roomHeldUpTo, withFloors } from './lane-terms.ts';
import { quoteOf } from './quote.ts';

const TOKEN = { network: 'mainnet', token: 'abc' } as const satisfies Partial<Vault>;
const COIN = { network: 'mainnet', token: null } as const satisfies Partial<Vault>;
const lane = (of: Partial<LaneTerms> = {}): LaneTerms => ({
  origin: 'solana',
  asset: 'USDC',
  leastAmount: 1_000_000,
  flatFee: 50_000,
  coinPrice: 150_000_000,
  ...of,
});
const of = (vault: Pick<Vault, 'network' | 'token'>, stated: LaneTerms | undefined, scale = 6) => ({
  feeBps: 10,
  lane: stated,
  scale,
  vault,
  paysOut: true,
});

describe('the terms of a lane', () => {
  test('B-05: have a payout of a token pay for the account that it opens', () => {
    const payout = boundedPayoutCost({ chain: 'solana', token: 'abc' });
    expect(BigInt(payout.cost)).toBeGreaterThanOrEqual(2_039_280n);
    const terms = quoteTerms(of(TOKEN, lane()), payout);
    // 0.0031 SOL at 150 USDC, and the flat fee.
    expect(terms).toEqual({ ok: true, value: { feeBps: 10, flatFee: 515_000, leastAmount: 1_000_000 } });
    const dear = quoteTerms(of(TOKEN, lane({ coinPrice: 1_500_000_000 })), payout);
    expect(dear).toMatchObject({ value: { flatFee: 4_700_000, leastAmount: 4_700_000 } });
  });

  test('B-05: have a payout on Cardano pay for the ADA that goes along', () => {
    const { cost } = boundedPayoutCost({ chain: 'cardano', token: `${'ab'.repeat(28)}.555344` });
    expect(BigInt(cost)).toBeGreaterThanOrEqual(1_021_470n);
    expect(BigInt(boundedPayoutCost({ chain: 'cardano', token: null }).least)).toBeGreaterThanOrEqual(969_750n);
  });

  test('B-05: cover what the chain asks of a payout of its own coin without being stated, and pay out what the chain takes', () => {
    const payout = { cost: '3000', least: '546', decimals: 8 };
    expect(quoteTerms(of(COIN, undefined, 8), payout)).toMatchObject({ value: { flatFee: 3_000, leastAmount: 3_546 } });
    // Of fewer decimals than the coin has, it is rounded up.
    expect(quoteTerms(of(COIN, undefined, 6), payout)).toMatchObject({ value: { flatFee: 30, leastAmount: 36 } });
  });

  test('B-05: are missing for a token of a mainnet until somebody says what the coin is worth, and with no other network', () => {
    const payout = boundedPayoutCost({ chain: 'solana', token: 'abc' });
    for (const [stated, error] of [
      [undefined, 'unstated'],
      [lane({ coinPrice: null }), 'unpriced'],
    ] as const) {
      expect(quoteTerms(of(TOKEN, stated), payout)).toEqual({ ok: false, error });
      expect(quoteTerms(of(TOKEN, stated), null)).toEqual({ ok: false, error });
      expect(quoteTerms(of({ ...TOKEN, network: 'testnet' }, stated), payout).ok).toBe(true);
    }
  });

  test('let deposits of a token in at what is stated of the lane, without a price', () => {
    const deposit = { ...of(TOKEN, lane({ coinPrice: null })), paysOut: false };
    expect(quoteTerms(deposit, null)).toEqual({
      ok: true,
      value: { feeBps: 10, flatFee: 50_000, leastAmount: 1_000_000 },
    });
    expect(quoteTerms({ ...deposit, lane: undefined }, null)).toEqual({ ok: false, error: 'unstated' });
    expect(quoteTerms({ ...of(COIN, undefined), paysOut: false }, null)).toMatchObject({ ok: true });
  });

  test('are of a lane at a custody provider what is stated, both ways: the coin is a name of the provider’s', () => {
    const custody = { provider: 'p', account: '1', asset: 'ETH' };
    const payout = { cost: '3000', least: '546', decimals: 8 };
    for (const paysOut of [true, false]) {
      const at = (stated: LaneTerms | undefined) => ({ ...of(COIN, stated), vault: { ...COIN, custody }, paysOut });
      expect(quoteTerms(at(undefined), payout)).toEqual({ ok: false, error: 'unstated' });
      expect(quoteTerms(at(lane({ coinPrice: null })), payout)).toMatchObject({ ok: true, value: { flatFee: 50_000 } });
    }
  });

  test('are those of the chain and the asset', () => {
    const lanes = [lane(), lane({ origin: 'base', leastAmount: 5 })];
    expect(laneTermsOf(lanes, { origin: 'base', asset: 'USDC' })?.leastAmount).toBe(5);
    expect(laneTermsOf(lanes, { origin: 'base', asset: 'ETH' })).toBeUndefined();
    expect(laneTermsOf(lanes, { origin: 'ton', asset: 'USDC' })).toBeUndefined();
  });

  test('B-05: know of each chain what its coin is', () => {
    for (const chain of CHAIN_NAMES) expect(coinDecimals(chain)).toBeGreaterThanOrEqual(6);
  });

  test('B-05: never let a payout of the coin cost more than its transfer brings', () => {
    const scale = fc.integer({ min: 0, max: 8 });
    const amounts = fc.record({ amount: fc.integer({ min: 1, max: 2 ** 40 }), cost: fc.bigInt(0n, 10n ** 12n), scale });
    fc.assert(
      fc.property(amounts, ({ amount, cost, scale }) => {
        const terms = quoteTerms(of(COIN, undefined, scale), { cost: String(cost), least: '546', decimals: 8 });
        const quote = terms.ok && quoteOf(amount, terms.value, { ledger: scale, source: scale, destination: 8 });
        if (quote === false || !quote.ok) return;
        const broughtIn = BigInt(quote.value.amount) * 10n ** BigInt(8 - scale);
        expect(broughtIn - BigInt(quote.value.amountOut)).toBeGreaterThanOrEqual(cost);
        expect(BigInt(quote.value.amountOut)).toBeGreaterThan(0n);
      }),
    );
  });
});

test('floors of lanes are the same in any order, and what takes whatever comes has none', () => {
  const free = lane({ origin: 'near', leastAmount: 1, flatFee: 0 });
  const [one, other] = [lane(), lane({ origin: 'ethereum', flatFee: 0 })];
  const floors = [
    { origin: 'ethereum', asset: 'USDC', leastAmount: 1_000_000, flatFee: 0 },
    { origin: 'solana', asset: 'USDC', leastAmount: 1_000_000, flatFee: 50_000 },
  ];
  expect(floorsOf([one, free, other])).toEqual(floors);
  expect(floorsOf([other, one])).toEqual(floors);
});

test('lanes go by the floors that hold, and by what coins are worth as it was stated last', () => {
  const stated = [lane({ flatFee: 9, coinPrice: 7 }), lane({ origin: 'near', flatFee: 4, coinPrice: 3 })];
  expect(withFloors(floorsOf([lane(), lane({ asset: 'DAI' })]), stated)).toEqual([
    lane({ asset: 'DAI', coinPrice: null }),
    lane({ coinPrice: 7 }),
    lane({ origin: 'near', leastAmount: 1, flatFee: 0, coinPrice: 3 }),
  ]);
});

test('B-10: room is held for half of a limit at most, unless the lane states another part', () => {
  expect(roomHeldUpTo(1_001)).toBe(500);
  expect(roomHeldUpTo(1_001, 100)).toBe(1_001);
  expect(roomHeldUpTo(99, 1)).toBe(0);
  expect(roomHeldUpTo(2 ** 53 - 1, 100)).toBe(2 ** 53 - 1);
});
