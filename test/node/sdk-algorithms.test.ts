import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Algorithm, AlgorithmState, Terms } from '../../clients/sdk/algorithms.ts';
import {
  bracket,
  exitedOf,
  filledOf,
  hidden,
  iceberg,
  pegged,
  schedule,
  startBracket,
  startHidden,
  startIceberg,
  startPegged,
  startStopTrail,
  startTwap,
  startVwap,
  stopTrail,
} from '../../clients/sdk/algorithms.ts';
import { type Fault, type Fill, type MarketAction, playAlgorithm } from './fixtures/algorithm-play.ts';

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
  [
    'pegged',
    fc
      .record({
        peg: fc.constantFrom('best' as const, 'mid' as const),
        moveMin: fc.integer({ min: 1, max: 2 }),
        pauseMs: fc.constantFrom(1_000, 2 * HOUR_MS + 1),
      })
      .map(
        ({ peg, moveMin, pauseMs }) =>
          (given) =>
            started(pegged, startPegged('run', { ...given, peg, tickSize: '1', moveMin: String(moveMin), pauseMs })),
      ),
  ],
  [
    'stop-trail',
    fc
      .constantFrom({ amount: '1' }, { amount: '2' }, { percent: '1' }, { percent: '2.5' })
      .map((trail) => (given) => started(stopTrail, startStopTrail('run', { ...given, trail }))),
  ],
  [
    'bracket',
    fc.record({ profit: fc.integer({ min: 1, max: 3 }), loss: fc.integer({ min: 1, max: 3 }) }).map(
      ({ profit, loss }) =>
        (given) =>
          started(bracket, startBracket('run', bracketTerms(given, profit, loss))),
    ),
  ],
];

/** An exit may be worse than the entry's limit, and no worse than its own. */
const EXIT_ROOM = 2;

function bracketTerms(given: Terms, profit: number, loss: number) {
  const away = given.side === 'buy' ? 1 : -1;
  const at = (distance: number) => String(Number(given.limitPrice) + away * distance);
  const stops = { stopPrice: at(-loss), stopLimitPrice: at(-loss - EXIT_ROOM) };
  return { ...given, takeProfitPrice: at(profit), tickSize: '1', ...stops };
}

function started<S extends AlgorithmState>(algorithm: Algorithm<S>, state: S): Started {
  return { algorithm: algorithm as unknown as Algorithm<AlgorithmState>, state };
}

function exitLimitOf({ terms }: AlgorithmState): string {
  return 'stopLimitPrice' in terms ? String(terms.stopLimitPrice) : 'none';
}

/** What was traded at each price: an order that was asked for again later is another one, and trades the same. */
function volumesOf(fills: readonly Fill[]): Record<string, number> {
  const volumes: Record<string, number> = {};
  for (const { side, price, quantity } of fills)
    volumes[`${side} at ${price}`] = (volumes[`${side} at ${price}`] ?? 0) + quantity;
  return volumes;
}

/** All but when something happened and how many orders it took, which a lost answer changes. */
function outcomeOf(state: AlgorithmState): Record<string, unknown> {
  const { placed: _, movedAt: __, ...outcome } = state as AlgorithmState & { movedAt?: number };
  return outcome;
}

describe.each(cases)('the algorithm %s at the real engine', (name, start) => {
  it('never fills more than its quantity, never beyond its limit, and leaves no order', async () => {
    let [traded, closed] = [0, 0];
    await fc.assert(
      fc.asyncProperty(start, terms, fc.array(action, { maxLength: 30 }), async (begin, given, actions) => {
        const { algorithm, state } = begin(given);
        const played = await playAlgorithm({ algorithm, state, actions, faults: [], crashes: [] });
        let [entered, exited] = [0, 0];
        for (const { side, price, quantity } of played.fills) {
          if (side === given.side) entered += quantity;
          else exited += quantity;
          expect(exited).toBeLessThanOrEqual(entered);
          const worst = side === given.side ? given.limitPrice : exitLimitOf(state);
          if (side === 'buy') expect(price).toBeLessThanOrEqual(Number(worst));
          else expect(price).toBeGreaterThanOrEqual(Number(worst));
        }
        traded += entered;
        closed += exited;
        expect(entered).toBeLessThanOrEqual(Number(given.quantity));
        expect(Number(filledOf(played.state))).toBe(entered);
        expect(Number(exitedOf(played.state))).toBe(exited);
        expect(played.openOrders).toEqual([]);
        expect(played.state.stage).toBe('ended');
      }),
      { numRuns: 60 },
    );
    expect(traded).toBeGreaterThan(0);
    expect(closed > 0).toBe(name === 'bracket');
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
          expect(volumesOf(rough.fills)).toEqual(volumesOf(calm.fills));
          expect(outcomeOf(rough.state)).toEqual(outcomeOf(calm.state));
          expect(rough.openOrders).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(met).toBeGreaterThan(0);
  });
});
