import { reset } from 'cloudflare:test';
import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, test } from 'vitest';
import { corporateActionChecks } from '../../../../../data/audit/corporate-actions.ts';
import { runAudit } from '../../../../../data/audit/run-audit.ts';
import { createAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { DAY_MS } from '../../../../../domain/calendar/durations.ts';
import { bridgeMovementId } from '../../../../../domain/ledger/bridge-movement-id.ts';
import type { BrokerBreak, Trade } from '../../../../../domain/ledger/records.ts';
import { ALL_END, splitUnits } from '../../../../../domain/ledger/split-units.ts';
import type {
  BreakBooking,
  BreakResolution,
  BridgeMovement,
  RegisterEntry,
  TradeAdjustment,
} from '../../../../../domain/ledger/transactions.ts';
import { JournaledLedger } from '../../../fixtures/journaled-ledger.ts';
import { emptyReadModel, everything, openReadModel, projectAll } from '../../../fixtures/read-model.ts';
import { TradedBook } from '../../../fixtures/traded-book.ts';

const ACCOUNTS = ['alice', 'bob', 'carol', 'dave'] as const;
const STEPS = 150;
/** Nothing here is handed to a broker or is within its hold. */
/** No corporate action stands behind what this traffic distributes. */
const OF_ACTIONS = corporateActionChecks.map(({ claim }) => claim);
const ABSENT: readonly string[] = ['broker', 'unsettled', 'register'];
/** But breaks are booked. */
const BOOKED: readonly string[] = [
  'what the broker has said and fits no order was settled by people',
  'every execution that was booked closes its break, and moved what it says',
];

let db: Database;

beforeEach(async () => {
  await reset();
  db = await openReadModel(ACCOUNTS);
  for (const id of ['regd', 'survivor'])
    await createAsset(db, {
      id,
      symbol: id.toUpperCase(),
      name: id,
      category: 'privates',
      tracksLots: true,
      scale: 0,
      createdAt: 1,
    });
});

/** Mulberry32: numbers below `n` that a seed repeats. */
function drawing(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

/** Of an asset that nothing else moves. */
function bridged(account: string, type: BridgeMovement['type'], amount: number): BridgeMovement {
  const vault = { organization: 'tenant', chain: 'ethereum' };
  const transfer = uuidv7();
  const id = bridgeMovementId(transfer, type === 'burn' ? 'debit' : 'payout');
  return { kind: 'bridge', id, transfer, type, account, asset: 'eth', amount, vault, createdAt: 1 };
}

/** People who deposit, withdraw, bridge, place, trade and cancel, and an operator who takes trades back and states rates; `between` runs after each step. */
async function trade(journal: JournaledLedger, seed: number, between: () => Promise<void>): Promise<void> {
  const draw = drawing(seed);
  const anyone = (): string => ACCOUNTS[draw(ACCOUNTS.length)] as string;
  for (const account of ACCOUNTS) {
    journal.deposit(account, 'usd', 20_000);
    journal.depositLots(account, 'acme', [20, 30]);
    journal.grant(account, 'cap', 5_000);
    journal.grant(account, 'room', 200);
  }
  const book = new TradedBook(journal);
  const dealt: Trade[] = [];
  let rateVersion = 0;
  for (let step = 0; step < STEPS; step++) {
    switch (draw(11)) {
      case 0: {
        const type = draw(2) === 0 ? 'deposit' : 'withdrawal';
        journal.commit(journal.transfer(type, anyone(), 'usd', 1 + draw(500)));
        journal.commit(
          bridged(ACCOUNTS[step % ACCOUNTS.length] as string, step % 3 === 0 ? 'burn' : 'mint', 1 + (step % 7)),
        );
        break;
      }
      case 1:
        journal.commit(journal.transfer('withdrawal', anyone(), 'acme', 1 + draw(5), { tracksLots: true }));
        journal.depositLots(anyone(), 'acme', [1 + draw(5)]);
        break;
      case 2: {
        const [ended] = book.open(draw(2) === 0 ? 'buy' : 'sell');
        if (ended !== undefined) book.send([], [book.end(ended.id)]);
        break;
      }
      case 6: {
        const traded = dealt[draw(dealt.length + 1)];
        const to = draw(2) === 0 ? null : 80 + draw(30);
        if (traded !== undefined) journal.commit(adjustmentOf(traded, uuidv7(), to));
        break;
      }
      case 7: {
        const rate = { expectedVersion: rateVersion, numerator: 1 + draw(9), denominator: 1 + draw(9) };
        rateVersion += 1;
        journal.commit({ kind: 'rate', id: uuidv7(), asset: 'usd', ...rate, createdAt: 1, event: null });
        break;
      }
      case 8:
        journal.commit(registerEntryOf(anyone(), draw(2) === 0 ? 1 + draw(9) : -1 - draw(4)));
        if (draw(3) === 0) splitShares(journal, [1 + draw(3), 1 + draw(3)]);
        if (draw(4) === 0) convertShares(journal, [1, 1 + draw(3)]);
        break;
      case 10: {
        const legs = ACCOUNTS.map((account) => ({ account, change: draw(2) === 0 ? -1 - draw(50) : 1 + draw(20) }));
        journal.commit({ kind: 'distribution', id: uuidv7(), asset: 'usd', legs, reference: 'Dividend', createdAt: 1 });
        break;
      }
      case 9: {
        const id = uuidv7();
        book.send([], [{ ...NOTHING, breaks: [brokenOf(id)] }]);
        const side = draw(2) === 0 ? 'buy' : 'sell';
        const settlesOn = draw(2) === 0 ? {} : { settlesOn: (1 + draw(3)) * DAY_MS };
        const terms = { account: anyone(), side, quantity: 1 + draw(5), price: 100, ...settlesOn } as const;
        const [booked] = journal.commit(resolutionOf(id, terms));
        if (booked.type !== 'done') journal.commit(resolutionOf(id, null));
        if (draw(3) === 0)
          journal.commit({ kind: 'settle', id: uuidv7(), through: 2 * DAY_MS, createdAt: 1, event: null });
        break;
      }
      case 3:
      case 4: {
        const quantity = 1 + draw(20);
        const price = 95 + draw(10);
        const limits = {
          allowanceAsset: 'cap',
          allowance: quantity * price,
          positionAsset: 'room',
          position: quantity,
          rateVersion,
        };
        book.send([
          book.order(anyone(), 'buy', quantity, price, draw(2) === 0 ? limits : {}),
          book.order(anyone(), 'sell', 1 + draw(20), 90 + draw(10), draw(2) === 0 ? { positionAsset: 'room' } : {}),
        ]);
        break;
      }
      default: {
        const [buy] = book.open('buy');
        const [sell] = book.open('sell');
        if (buy === undefined || sell === undefined || buy.price < sell.price) break;
        const quantity = 1 + draw(Math.min(buy.left, sell.left));
        const filled = book.fill(buy.id, sell.id, quantity, sell.price, draw(2));
        book.send([], [filled]);
        dealt.push(...filled.trades);
      }
    }
    await between();
  }
}

/** What the register of REGD issues to an account and to holders without one, or takes from the account. */
function registerEntryOf(account: string, change: number): RegisterEntry {
  const id = uuidv7();
  const lot = { id: `${id}.0`, account, quantity: change, cost: change, acquiredAt: 1, restrictionEndsAt: null };
  const others = change > 0 ? [{ account: 'boundary:register', change: 2, lots: [] }] : [];
  const legs = [
    { account, change, lots: change > 0 ? [{ ...lot, offeringType: '506c' }] : [] },
    ...others,
    { account: 'boundary:issuance', change: -change - 2 * others.length, lots: [] },
  ];
  return { kind: 'register_entry', id, asset: 'regd', legs, createdAt: 1, event: null };
}

/** Splits REGD, where the ratio is one; ratios down take lots away. */
function splitShares(journal: JournaledLedger, [from, to]: readonly [number, number]): void {
  const { available } = journal.ledger.balance('boundary:register', 'regd');
  const ratio = { from, to, fractions: 'cash_in_lieu' } as const;
  const register = { from: available, to: splitUnits(available, ratio) };
  const base = { kind: 'split', split: uuidv7(), asset: 'regd', createdAt: 1 } as const;
  journal.commit({ ...base, id: uuidv7(), step: { type: 'begin', ...ratio, register, books: [] } });
  journal.commit({ ...base, id: uuidv7(), step: { type: 'part', part: 1 } });
}

/** What REGD has becomes the survivor's, whose register begins with it. */
function convertShares(journal: JournaledLedger, [from, to]: readonly [number, number]): void {
  const ratio = { from, to, fractions: 'round_up' } as const;
  const { available } = journal.ledger.balance('boundary:register', 'regd');
  const legs = [-1, 1].map((change) => ({
    account: change < 0 ? 'boundary:issuance' : 'boundary:register',
    change,
    lots: [],
  }));
  journal.commit({ kind: 'register_entry', id: uuidv7(), asset: 'survivor', legs, createdAt: 1, event: null });
  const into = { ...ratio, asset: 'survivor', register: splitUnits(available, ratio), restrictionEndsAt: null };
  const base = { kind: 'split', split: uuidv7(), asset: 'regd', createdAt: 1 } as const;
  const register = { from: available, to: 0 };
  journal.commit({ ...base, id: uuidv7(), step: { type: 'begin', ...ALL_END, register, into, books: [] } });
  journal.commit({ ...base, id: uuidv7(), step: { type: 'part', part: 1 } });
}

const NOTHING = { trades: [], orders: [], balances: [], lots: [], lotMoves: [], amendments: [], bars: [] };

/** An execution of a broker that fits no order. */
function brokenOf(id: string): BrokerBreak {
  return { id, kind: 'unknown_order', orderId: 'gone', executionId: `x-${id}`, detail: 'a test', at: 1, price: 100 };
}

/** What an operator does with it: acknowledged, or booked. */
function resolutionOf(
  breakId: string,
  terms: Pick<BreakBooking, 'account' | 'side' | 'price' | 'quantity' | 'settlesOn'> | null,
): BreakResolution {
  const assets = { route: 'broker', baseAsset: 'acme', quoteAsset: 'usd', tracksLots: true } as const;
  const booking =
    terms === null
      ? null
      : {
          ...assets,
          ...terms,
          notional: terms.price * terms.quantity,
          executionId: `x-${breakId}`,
          executedAt: 1,
        };
  const closed = { reason: 'settled', by: 'operator', createdAt: 1, event: null };
  return { kind: 'resolve_break', id: uuidv7(), book: 'ACME-USD', breakId, booking, ...closed };
}

/** What an operator asks of a trade of ACME in dollars: that nothing of it stands, or that it stands at another price. */
function adjustmentOf({ takerSide, ...trade }: Trade, id: string, price: number | null): TradeAdjustment {
  const { quantity, buyerFee, sellerFee } = trade;
  return {
    kind: 'adjust_trade',
    id,
    book: 'ACME-USD',
    baseAsset: 'acme',
    quoteAsset: 'usd',
    tracksLots: true,
    trade: { ...trade, takerSide },
    to: price === null ? null : { price, quantity, notional: price * quantity, buyerFee, sellerFee },
    sellKey: null,
    reason: 'an error',
    createdAt: 1,
    event: null,
  };
}

test.each([1, 2, 3])(
  'D1 filled again from the journal, in pieces of other sizes, is the same (seed %i)',
  async (seed) => {
    const journal = new JournaledLedger();
    let step = 0;
    await trade(journal, seed, async () => {
      step += 1;
      if (step % 7 === 0) await projectAll(journal);
    });
    await projectAll(journal);
    expect(journal.ledger.violations()).toEqual([]);
    const audit = (await runAudit(db)).filter(({ claim }) => !OF_ACTIONS.includes(claim));
    expect(
      audit.filter(
        ({ holds, examined, invariant, claim }) =>
          !holds ||
          (examined === 0 &&
            !(ABSENT.includes(invariant) && !BOOKED.includes(claim)) &&
            !claim.startsWith('every sale under an exemption')),
      ),
    ).toEqual([]);
    const first = await everything();
    for (const piece of [1, 5, journal.rows.length]) {
      await emptyReadModel();
      await projectAll(journal, piece);
      expect(await everything()).toEqual(first);
    }
  },
);
