import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriceBand } from '../../../domain/markets/price-band.ts';
import type { OrderType, TimeInForce } from '../../../domain/orders/order.ts';
import type { Engine, EngineCommand, EngineEvent, EngineSnapshot, PlaceOrder, TakerTerms } from './engine.ts';
import { EventWitness } from './event-witness.fixtures.ts';
import { createFastEngine } from './fast.ts';
import { createPlainEngine } from './plain.fixtures.ts';

/** ENGINE_RUNS raises the number of random streams, ENGINE_COMMANDS the length of each: the defaults are for CI. */
const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {};
const numRuns = Number(environment.ENGINE_RUNS ?? 60);
const maxLength = Number(environment.ENGINE_COMMANDS ?? 200);
const timeout_ms = 20_000 + numRuns * maxLength;

type Step =
  | { readonly command: EngineCommand; readonly now: number }
  | { readonly expire: number; readonly now: number }
  | { readonly band: PriceBand | null; readonly now: number };

type Intent =
  | { readonly kind: 'place'; readonly terms: Omit<PlaceOrder, 'type' | 'orderId'>; readonly repeatsId: boolean }
  | { readonly kind: 'cancel'; readonly pick: number }
  | {
      readonly kind: 'amend';
      readonly pick: number;
      readonly quantity: number;
      readonly price: number;
      readonly stopPrice: number | undefined;
      readonly unfilledOnly: boolean;
      readonly requires: number;
      readonly family?: readonly string[] | null;
    }
  | { readonly kind: 'mass_cancel'; readonly picks: readonly number[] }
  | { readonly kind: 'expire'; readonly count: number }
  | { readonly kind: 'band'; readonly middle: number; readonly width: number };

// Few prices, accounts and small quantities, so that everything meets everything.
const price = fc.integer({ min: 96, max: 104 });
const account = fc.constantFrom('ada', 'ben', 'cyd', 'dan', 'eve');
const keyId = fc.constantFrom(null, 'key-1', 'key-2');
const side = fc.constantFrom('buy' as const, 'sell' as const);
const requires = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 7 }) },
  // Family, alone or beside accreditation.
  { weight: 2, arbitrary: fc.constantFrom(8, 8 | 2) },
);
const family = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uniqueArray(account, { minLength: 1, maxLength: 3 }) },
);

const typeAndTime: fc.Arbitrary<readonly [OrderType, TimeInForce]> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(['limit', 'GTC'] as const) },
  { weight: 2, arbitrary: fc.constant(['limit', 'IOC'] as const) },
  { weight: 2, arbitrary: fc.constant(['limit', 'FOK'] as const) },
  { weight: 3, arbitrary: fc.constant(['limit', 'GTD'] as const) },
  { weight: 2, arbitrary: fc.constant(['limit', 'POST_ONLY'] as const) },
  { weight: 1, arbitrary: fc.constant(['limit_maker', 'GTC'] as const) },
  { weight: 1, arbitrary: fc.constant(['market', 'IOC'] as const) },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom<OrderType>('stop_loss', 'stop_loss_limit', 'take_profit', 'take_profit_limit')
      .map((type) => [type, 'GTC'] as const),
  },
);

const terms = fc
  .record({
    account,
    keyId,
    side,
    typeAndTime,
    quantity: fc.integer({ min: 1, max: 20 }),
    price,
    stopPrice: price,
    expiresAt: fc.integer({ min: 1, max: 300 }),
    selfTradePrevention: fc.constantFrom('cancel_newest', 'cancel_oldest', 'cancel_both', 'decrement'),
    hidden: fc.constantFrom(false, false, false, true),
    displayQuantity: fc.constantFrom(0, 0, 0, 1, 3, 5),
    attributes: fc.integer({ min: 0, max: 7 }),
    requires,
    family,
  })
  .map(({ typeAndTime: [orderType, timeInForce], stopPrice, expiresAt, ...rest }) => ({
    ...rest,
    orderType,
    timeInForce,
    stopPrice: orderType.startsWith('stop') || orderType.startsWith('take') ? stopPrice : 0,
    expiresAt: timeInForce === 'GTD' ? expiresAt : 0,
  }));

const intent: fc.Arbitrary<Intent> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      terms,
      repeatsId: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat() }) },
  {
    weight: 5,
    arbitrary: fc.record(
      {
        kind: fc.constant('amend' as const),
        pick: fc.nat(),
        quantity: fc.integer({ min: 1, max: 20 }),
        price,
        stopPrice: fc.option(price, { nil: undefined, freq: 2 }),
        unfilledOnly: fc.boolean(),
        requires,
        family,
      },
      { requiredKeys: ['kind', 'pick', 'quantity', 'price', 'stopPrice', 'unfilledOnly', 'requires'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('mass_cancel' as const),
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('expire' as const), count: fc.constantFrom(1, 2, 1_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('band' as const), middle: price, width: fc.integer({ min: -3, max: 6 }) }),
  },
);

/** Every third id is no UUID. */
function idOf(count: number): string {
  return count % 3 === 0 ? `order ${count}` : `0193a0b1-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
}

/** One step per intent; time passes by one at each. */
function stepsOf(intents: readonly Intent[]): Step[] {
  let placed = 0;
  return intents.map((intent, now): Step => {
    const picked = (pick: number) => idOf(pick % (placed + 1));
    switch (intent.kind) {
      case 'place': {
        const orderId = intent.repeatsId ? idOf(placed) : idOf(++placed);
        return { command: { type: 'place', orderId, ...intent.terms }, now };
      }
      case 'cancel':
        return { command: { type: 'cancel', orderId: picked(intent.pick) }, now };
      case 'amend': {
        const { pick, kind: _, ...change } = intent;
        return { command: { type: 'amend', orderId: picked(pick), ...change }, now };
      }
      case 'mass_cancel':
        return { command: { type: 'mass_cancel', orderIds: intent.picks.map(picked), reason: 'halt' }, now };
      case 'band': {
        const { middle, width } = intent;
        return { band: width < 0 ? null : { low: middle - width, high: middle + width }, now };
      }
      default:
        return { expire: intent.count, now };
    }
  });
}

const stream = fc.array(intent, { minLength: 1, maxLength, size: 'max' }).map(stepsOf);

function run(engine: Engine, step: Step): EngineEvent[] {
  if ('band' in step) {
    engine.goWithin(step.band);
    return [];
  }
  return 'expire' in step ? engine.expire(step.now, step.expire) : engine.apply(step.command, step.now);
}

const TAKERS: readonly TakerTerms[] = [
  { side: 'buy', quantity: 9, account: 'ada', attributes: 0, requires: 0 },
  { side: 'buy', quantity: 99, account: 'ben', attributes: 3, requires: 1, family: ['ada', 'cyd'] },
  { side: 'sell', quantity: 15, account: 'cyd', attributes: 2, requires: 8 | 2, family: ['dan'] },
];

function visible(engine: Engine) {
  return {
    depth: engine.depth(1000),
    top: engine.depth(2),
    toSome: [1, 3, 4].map((common) => engine.depth(1000, common)),
    offered: TAKERS.map((taker) => engine.depthFor(taker, 3)),
    lastPrice: engine.lastPrice(),
    nextExpiry: engine.nextExpiry(),
    size: engine.size,
    sequence: engine.sequence,
    tradeSequence: engine.tradeSequence,
    ofAda: engine.ordersOf('ada'),
    ofBenByKey: engine.ordersOf('ben', 'key-1'),
    sells: engine.ordersOf(null, null, 'sell'),
    stateHash: engine.stateHash(),
  };
}

/** What a snapshot becomes on its way through storage. */
function stored(snapshot: EngineSnapshot): EngineSnapshot {
  return JSON.parse(JSON.stringify(snapshot));
}

test('the streams below come to every event and every reason', () => {
  const said = new Set<string>();
  for (const steps of fc.sample(stream, { numRuns: 120, seed: 1 })) {
    const engine = createFastEngine();
    for (const step of steps) {
      for (const event of run(engine, step)) said.add('reason' in event ? `${event.type} ${event.reason}` : event.type);
    }
  }
  expect([...said].sort()).toEqual([
    'accepted',
    'amended',
    'band_reached',
    'cancelled halt',
    'cancelled price_band',
    'cancelled self_trade',
    'cancelled unfilled',
    'cancelled user',
    'decremented',
    'expired',
    'filled',
    'level',
    'refused not_found',
    'refused partially_filled',
    'refused pending_trigger',
    'refused post_only_would_take',
    'refused quantity_not_above_filled',
    'refused triggered',
    'rejected duplicate_order_id',
    'rejected fok_not_fillable',
    'rejected post_only_would_take',
    'rested',
    'triggered',
  ]);
});

describe('on any stream of commands', { timeout: timeout_ms }, () => {
  test('the fast engine says and keeps what the plain one does', () => {
    fc.assert(
      fc.property(stream, (steps) => {
        const plain = createPlainEngine();
        const fast = createFastEngine();
        for (const step of steps) {
          expect(run(fast, step)).toEqual(run(plain, step));
          expect(visible(fast)).toEqual(visible(plain));
          fast.assertInvariants();
        }
        expect(fast.snapshot()).toEqual(plain.snapshot());
        plain.assertInvariants();
      }),
      { numRuns },
    );
  });

  test('both judge a fill-or-kill order by as many orders, where its own account stands on the other side', () => {
    fc.assert(
      fc.property(stream, fc.integer({ min: 0, max: 4 }), (steps, looksMax) => {
        const plain = createPlainEngine(undefined, looksMax);
        const fast = createFastEngine(undefined, undefined, looksMax);
        for (const step of steps) expect(run(fast, step)).toEqual(run(plain, step));
      }),
      { numRuns },
    );
  });

  test('commands said ahead, rightly or not, end as if they had not been', () => {
    fc.assert(
      fc.property(stream, fc.integer({ min: 1, max: 200 }), (steps, commandsAhead) => {
        const told = createFastEngine(undefined, 0);
        const untold = createFastEngine();
        steps.forEach((step, at) => {
          // What expires in between, and what a command ends, makes some of it wrong.
          if (at % commandsAhead === 0) {
            const ahead = steps.slice(at, at + commandsAhead);
            told.readAhead(ahead.flatMap((next) => ('command' in next ? [next.command] : [])));
          }
          expect(run(told, step)).toEqual(run(untold, step));
        });
        expect(told.stateHash()).toBe(untold.stateHash());
      }),
      { numRuns },
    );
  });

  test('its events are gapless, keep price-time priority and conserve quantity', () => {
    fc.assert(
      fc.property(stream, (steps) => {
        const engine = createFastEngine();
        const witness = new EventWitness();
        for (const step of steps) {
          if ('command' in step) witness.seeCommand(step.command);
          if ('band' in step) witness.seeBand(step.band);
          for (const event of run(engine, step)) witness.seeEvent(event);
          witness.assertAgrees(engine);
        }
      }),
      { numRuns },
    );
  });

  test('an engine restored in the middle, in either implementation, has the same future', () => {
    fc.assert(
      fc.property(stream, fc.nat(), (steps, cut) => {
        const live = createFastEngine();
        const before = steps.slice(0, cut % steps.length);
        for (const step of before) run(live, step);
        const band = before.findLast((step) => 'band' in step)?.band ?? null;
        const livePlain = createPlainEngine(stored(live.snapshot()));
        const restored = [
          livePlain,
          createFastEngine(stored(live.snapshot())),
          createFastEngine(stored(livePlain.snapshot())),
          createPlainEngine(stored(livePlain.snapshot())),
        ];
        for (const engine of restored) {
          engine.goWithin(band);
          engine.assertInvariants();
          expect(visible(engine)).toEqual(visible(live));
        }
        for (const step of steps.slice(before.length)) {
          const events = run(live, step);
          for (const engine of restored) expect(run(engine, step)).toEqual(events);
        }
        for (const engine of restored) expect(visible(engine)).toEqual(visible(live));
      }),
      { numRuns },
    );
  });
});
