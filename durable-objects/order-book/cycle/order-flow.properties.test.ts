import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareHolds } from '../../../domain/ledger/compare-holds.ts';
import { holdsIn } from '../admission/ledger-order.ts';
import type { BookCommand } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';

const numRuns = Number(process.env.FLOW_RUNS ?? 60);
const ACCOUNTS = ['ada', 'ben', 'cyd'];
const ALLOWANCE = 'allowance:reg_cf';
const POSITION = 'position:key-1';

const DAILY = { notionalMax: 9_000, lossMax: 500 };

function keyOf(account: string): string {
  return `key of ${account}`;
}

const placement = fc.record({
  kind: fc.constant('place' as const),
  account: fc.constantFrom(...ACCOUNTS),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 95, max: 105 }),
  quantity: fc.integer({ min: 1, max: 30 }),
  timeInForce: fc.constantFrom('GTC' as const, 'GTC' as const, 'IOC' as const, 'FOK' as const, 'POST_ONLY' as const),
  prevention: fc.constantFrom('cancel_newest' as const, 'cancel_both' as const, 'decrement' as const),
  iceberg: fc.boolean(),
  stop: fc.option(fc.integer({ min: 96, max: 104 }), { freq: 3 }),
  hasLimit: fc.boolean(),
  underLimits: fc.boolean(),
  isRefused: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
const step = fc.oneof(
  { weight: 8, arbitrary: placement },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('amend' as const),
      pick: fc.nat(),
      quantity: fc.integer({ min: 1, max: 40 }),
      price: fc.option(fc.integer({ min: 95, max: 105 })),
      stopPrice: fc.option(fc.integer({ min: 96, max: 104 })),
      byKey: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('mass_cancel' as const), account: fc.constantFrom(...ACCOUNTS) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Steps of one call; whether the object is lost after it, at rest or with a batch on its way, and who then cancels before the ledger is back. */
const call = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  crash: fc.constantFrom('none' as const, 'none' as const, 'none' as const, 'at_rest' as const, 'in_flight' as const),
  cancels: fc.array(fc.nat(), { maxLength: 3 }),
  /** Long enough, at times, for a halt to end or a minute to turn. */
  passes_ms: fc.constantFrom(1, 1, 500, 2_000, 60_000),
  massCancels: fc.option(fc.constantFrom(...ACCOUNTS)),
});

/** What becomes of the requests to the ledger, in turn; none are lost after these. */
const fates = fc.array(fc.constantFrom('through', 'through', 'lost', 'answer_lost'), { maxLength: 40 });

function commandOf(made: BookInMemory, placed: { orderId: string; account: string }[], step: Step): BookCommand | null {
  if (step.kind === 'place') {
    const { account, side, quantity, timeInForce, prevention, iceberg, stop, hasLimit, underLimits } = step;
    const displayQuantity = iceberg && timeInForce === 'GTC' && stop === null ? Math.ceil(quantity / 3) : null;
    const limits = underLimits
      ? {
          allowanceAsset: side === 'buy' ? ALLOWANCE : null,
          positionAsset: POSITION,
          keyId: keyOf(account),
          daily: DAILY,
        }
      : {};
    const price = stop === null || hasLimit ? step.price : null;
    const ofStop =
      stop === null
        ? { timeInForce }
        : { type: hasLimit ? ('stop_loss_limit' as const) : ('stop_loss' as const), stopPrice: stop };
    const terms = { ...ofStop, price, selfTradePrevention: prevention, displayQuantity };
    const command = made.place(account, side, quantity, step.price, terms, limits);
    if (step.isRefused) return { ...command, type: 'reject', code: 'VALIDATION_ERROR' };
    placed.push(command);
    return command;
  }
  if (step.kind === 'mass_cancel')
    return { type: 'mass_cancel', account: step.account, keyId: null, side: null, reason: 'user' };
  const order = placed[step.pick % Math.max(1, placed.length)];
  if (order === undefined) return null;
  const { orderId, account } = order;
  if (step.kind === 'cancel') return { type: 'cancel', orderId, account };
  return {
    type: 'amend',
    amendmentId: made.id('amendment'),
    orderId,
    account,
    quantity: step.quantity,
    price: step.price,
    stopPrice: step.stopPrice,
    checkedOver: null,
    unfilledOnly: false,
    limitedKey: step.byKey ? keyOf(account) : null,
    factsVersion: 1,
    rulesVersion: 1,
  };
}

/** Widths of a band around 1.00, 0 for none, and how long trading halts at its end. */
const bands = fc.record({
  bandBps: fc.constantFrom(0, 0, 100, 300, 500),
  bandHaltSeconds: fc.constantFrom(0, 1),
  referencePrice: fc.constantFrom(null, 100),
});
type Band = typeof bands extends fc.Arbitrary<infer B> ? B : never;

function goBy({ flow }: BookInMemory, band: Band): void {
  flow.goBy({ ...flow.config, market: { ...flow.config.market, ...band } });
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}

it('whatever is asked of a book, whatever gets lost on the way, and whoever cancels before an instance owns the book, ledger and book agree order by order and L1 to L3 hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 15 }), fates, bands, async (calls, lost, band) => {
      const made = new BookInMemory();
      goBy(made, band);
      for (const account of ACCOUNTS) {
        made.deposit(account, 'usd', 20_000);
        made.deposit(account, 'acme', 100, 10, { cost: 1_010 });
        made.grant(account, ALLOWANCE, 8_000);
        made.grant(account, POSITION, 60);
      }
      const fate = () => lost.shift() ?? 'through';
      made.fate = fate;
      const placed: { orderId: string; account: string }[] = [];
      for (const { steps, crash, cancels, massCancels, passes_ms } of calls) {
        const commands = steps.flatMap((each) => commandOf(made, placed, each) ?? []);
        if (crash === 'in_flight') made.fate = () => 'answer_hangs';
        const answered = made.submit(...commands);
        if (crash === 'in_flight') await turns();
        else await answered;
        made.now += passes_ms;
        if (crash === 'none') continue;
        made.restart();
        goBy(made, band);
        made.fate = fate;
        for (const pick of cancels) {
          const order = commandOf(made, placed, { kind: 'cancel', pick });
          if (order !== null) await made.submit(order);
        }
        if (massCancels !== null) {
          const command = commandOf(made, placed, { kind: 'mass_cancel', account: massCancels });
          const open = [...made.state.orders.values()].filter(({ account }) => account === massCancels);
          const orderIds = open.map(({ orderId }) => orderId);
          const [result] = await made.submit(command as BookCommand);
          expect(result?.type === 'mass_cancelled' && [...result.orderIds].sort()).toEqual(orderIds.sort());
        }
        made.takeOver();
      }
      expect(await made.flow.settled(5_000)).toBe(true);
      expect(made.journal.haltReason).toBeNull();
      expect(made.ledger.violations()).toEqual([]);
      expect(compareHolds(made.ledger.reservations('ACME-USD'), holdsIn(made.state.orders.values()))).toEqual([]);
    }),
    { numRuns },
  );
});
