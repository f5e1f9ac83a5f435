import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Algorithm, AlgorithmState, Terms } from '../../clients/sdk/algorithms.ts';
import {
  filledOf,
  hidden,
  iceberg,
  schedule,
  startHidden,
  startIceberg,
  startTwap,
  startVwap,
} from '../../clients/sdk/algorithms.ts';
import { type Fault, type MarketAction, playAlgorithm } from './fixtures/algorithm-play.ts';

const HOUR_MS = 3_600_000;

/** Few prices and small quantities, so that everything meets everything. */
const action: fc.Arbitrary<MarketAction> = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 97, max: 103 }),
  quantity: fc.integer({ min: 1, max: 12 }),
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const),
});
const terms: fc.Arbitrary<Terms> = fc
  .record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.integer({ min: 3, max: 40 }),
    limitPrice: fc.integer({ min: 98, max: 102 }),
    sizeMin: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ side, quantity, limitPrice, sizeMin }) => ({
    symbol: 'ACME-USD',
    side,
    quantity: String(quantity),
    limitPrice: String(limitPrice),
    lotSize: '1',
    sizeMin: String(sizeMin),
  }));
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('none' as const) },
  { weight: 4, arbitrary: fc.constantFrom('request_lost', 'answer_lost', 'done_twice', 'crash_after') },
);
const crash = fc.record({ at: fc.integer({ min: 0, max: 25 }), isStored: fc.boolean() });

type Started = { readonly algorithm: Algorithm<AlgorithmState>; readonly state: AlgorithmState };

const cases: readonly (readonly [string, fc.Arbitrary<(terms: Terms) => Started>])[] = [
  [
    'iceberg',
    fc.record({ slice: fc.integer({ min: 3, max: 15 }), jitterPercent: fc.integer({ min: 0, max: 50 }) }).map(
      ({ slice, jitterPercent }) =>
        (given) =>
          started(iceberg, startIceberg('run', { ...given, sliceSize: String(slice), jitterPercent })),
    ),
  ],
  ['hidden', fc.constant((given) => started(hidden, startHidden('run', { ...given, intervalMs: 100 })))],
  [
    'twap',
    fc.record({ slices: fc.integer({ min: 1, max: 8 }), style: fc.constantFrom('take' as const, 'rest' as const) }).map(
      ({ slices, style }) =>
        (given) =>
          started(
            schedule,
            startTwap('run', { ...given, slices, style, startAt: HOUR_MS / 2, durationMs: slices * HOUR_MS }),
          ),
    ),
  ],
  [
    'vwap',
    fc
      .record({
        volumes: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 8 }),
        style: fc.constantFrom('take' as const, 'rest' as const),
      })
      .map(
        ({ volumes, style }) =>
          (given) =>
            started(
              schedule,
              startVwap('run', {
                ...given,
                volumes: [...volumes, 1],
                style,
                startAt: HOUR_MS / 2,
                durationMs: (volumes.length + 1) * HOUR_MS,
              }),
            ),
      ),
  ],
];

function started<S extends AlgorithmState>(algorithm: Algorithm<S>, state: S): Started {
  return { algorithm: algorithm as unknown as Algorithm<AlgorithmState>, state };
}

describe.each(cases)('the algorithm %s at the real engine', (_, start) => {
  it('never fills more than its quantity, never beyond its limit, and leaves no order', async () => {
    let traded = 0;
    await fc.assert(
      fc.asyncProperty(start, terms, fc.array(action, { maxLength: 30 }), async (begin, given, actions) => {
        const { algorithm, state } = begin(given);
        const played = await playAlgorithm({ algorithm, state, actions, faults: [], crashes: [] });
        const total = played.fills.reduce((sum, { quantity }) => sum + quantity, 0);
        traded += total;
        expect(total).toBeLessThanOrEqual(Number(given.quantity));
        expect(Number(filledOf(played.state))).toBe(total);
        for (const { price } of played.fills) {
          if (given.side === 'buy') expect(price).toBeLessThanOrEqual(Number(given.limitPrice));
          else expect(price).toBeGreaterThanOrEqual(Number(given.limitPrice));
        }
        expect(played.openOrders).toEqual([]);
        expect(played.state.stage).toBe('ended');
      }),
      { numRuns: 60 },
    );
    expect(traded).toBeGreaterThan(0);
  });

  it('comes to the same end after crashes at any step, lost answers and repeated ones', async () => {
    let met = 0;
    await fc.assert(
      fc.asyncProperty(
        start,
        terms,
        fc.array(action, { minLength: 5, maxLength: 20 }),
        fc.array(fault, { maxLength: 30 }),
        fc.array(crash, { maxLength: 5 }),
        async (begin, given, actions, faults, crashes) => {
          const { algorithm, state } = begin(given);
          const calm = await playAlgorithm({ algorithm, state, actions, faults: [], crashes: [] });
          const rough = await playAlgorithm({ algorithm, state, actions, faults, crashes });
          met += rough.disturbances;
          expect(rough.fills).toEqual(calm.fills);
          expect(rough.state).toEqual(calm.state);
          expect(rough.openOrders).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(met).toBeGreaterThan(0);
  });
});
