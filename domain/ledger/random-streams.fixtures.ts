import * as fc from 'fast-check';
import { DAY_MS } from '../calendar/durations.ts';
import type { VersionedRate } from '../money/dollar-rate.ts';
import { isBoundary } from './balances.ts';
import { bridgeMovementId } from './bridge-movement-id.ts';
import { FACTS, idAt, lot, OPEN_RULES, START, USD } from './ledger.fixtures.ts';
import { LEDGER_LIMITS } from './ledger-limits.ts';
import { LEDGER_CODE } from './ledger-rules.ts';
import type { LedgerOutcome, OwnOutcome } from './outcomes.ts';
import type { DailyLimits, OrderAdmission } from './records.ts';
import { ALLOWANCE, POSITION, SimpleBook } from './simple-book.fixtures.ts';
import { SPLIT_FRACTIONS, splitUnits } from './split-units.ts';
import type {
  BookBatch,
  Conversion,
  DistributionLeg,
  LedgerTransaction,
  RegisterLeg,
  Split,
  Transfer,
} from './transactions.ts';

export const ACCOUNTS = [idAt(0, 1), idAt(0, 2), idAt(0, 3), idAt(0, 4)] as const;
/** Of three of the accounts; both are of one partner. The first account stands for its owner. */
const INVESTORS: readonly (string | undefined)[] = [undefined, idAt(0, 91), idAt(0, 92), idAt(0, 92)];
/** Each account has a key with each of these limits. */
const KEY_LIMITS: readonly (DailyLimits | null)[] = [
  null,
  { notionalMax: 100, lossMax: null },
  { notionalMax: null, lossMax: 12 },
  { notionalMax: 300, lossMax: 12 },
];
export const STOCK = 'acme';
export const COIN = 'coin';
export const EUR = 'eur';
/** Goes by its register, and trades nowhere. */
export const REGISTERED = 'registered';
/** As well; others are converted into it. */
export const SURVIVOR = 'survivor';

/** On which executions at a broker may settle. */
export const SETTLEMENT_DAYS = [START + DAY_MS, START + 2 * DAY_MS, START + 3 * DAY_MS];

const small = fc.nat(20);
const account = fc.nat(ACCOUNTS.length - 1);
/** The first and the last book are of an asset that tracks lots, the second is of one that does not. */
const book = fc.nat(2);
const rarely = fc.constantFrom(false, false, false, false, false, false, false, true);

function keyOf(account: string, number: number): string {
  return `${account} key ${number}`;
}

export const KEYS = ACCOUNTS.flatMap((account) => KEY_LIMITS.map((_, number) => keyOf(account, number)));

/** One step of whoever plays the books, operators and clients. */
const step = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.record({
      type: fc.constant('order' as const),
      book,
      account,
      isBuy: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 12 }),
      price: fc.integer({ min: 2, max: 12 }),
      isLimited: fc.constantFrom(false, false, true),
      hasPosition: fc.constantFrom(false, false, true),
      isStale: rarely,
      isRepeated: rarely,
      isRefusedByBook: rarely,
      clientOrderId: fc.option(fc.nat(30), { freq: 3 }),
      key: fc.option(fc.nat(KEY_LIMITS.length - 1)),
    }),
  },
  {
    weight: 30,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      book,
      pick: small,
      quantity: fc.integer({ min: 1, max: 12 }),
      isBuyers: fc.boolean(),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('execute' as const),
      book,
      pick: small,
      quantity: fc.integer({ min: 1, max: 12 }),
      settlesAfter: fc.option(fc.nat(2), { freq: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('settle' as const), after: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('reduce' as const),
      book,
      pick: small,
      quantity: fc.integer({ min: 1, max: 12 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('amend' as const),
      book,
      pick: small,
      more: fc.integer({ min: -3, max: 6 }),
      price: fc.integer({ min: 2, max: 12 }),
      by: fc.constantFrom('same key', 'same key', 'same key', 'no key', 'another key'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('cut' as const), book }) },
  {
    weight: 18,
    arbitrary: fc.record({ type: fc.constant('send' as const), book, backlogged: rarely, isRepeated: rarely }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('stray' as const), book, what: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('take over' as const), book, isSent: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('transfer' as const),
      isDeposit: fc.boolean(),
      account,
      asset: fc.constantFrom(USD, EUR, STOCK, COIN, REGISTERED),
      amount: fc.integer({ min: 1, max: 60 }),
      cost: fc.nat(500),
      age: fc.nat(3),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('register' as const),
      what: fc.constantFrom('issue', 'issue', 'issue to both', 'cancel', 'take in', 'hand out'),
      isOfNobody: fc.boolean(),
      account,
      asset: fc.constantFrom(REGISTERED, REGISTERED, SURVIVOR, STOCK),
      amount: fc.integer({ min: 1, max: 12 }),
      cost: fc.nat(50),
      isUnbalanced: rarely,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('distribute' as const),
      what: fc.constantFrom('pay in', 'pay in', 'pay out', 'pay out', 'give back'),
      account,
      asset: fc.constantFrom(USD, USD, EUR),
      amount: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('bridge' as const),
      movement: fc.constantFrom('mint' as const, 'mint' as const, 'burn' as const, 'burn' as const, 'void' as const),
      account,
      asset: fc.constantFrom(COIN, COIN, EUR, REGISTERED),
      amount: fc.integer({ min: 1, max: 40 }),
      chain: fc.constantFrom('ethereum', 'solana'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('split' as const),
      what: fc.constantFrom('whole', 'whole', 'begin', 'part', 'late part', 'give up', 'of other shares'),
      asset: fc.constantFrom(REGISTERED, REGISTERED, REGISTERED, STOCK),
      ratio: fc.constantFrom([2, 3], [1, 2], [10, 1], [3, 2], [7, 5], [1, 1], [1, 0]),
      fractions: fc.constantFrom(...SPLIT_FRACTIONS),
      into: fc.constantFrom(null, null, SURVIVOR, SURVIVOR, STOCK, REGISTERED),
      restrictionEndsAt: fc.constantFrom(null, 9),
      regulation: fc.constantFrom(undefined, null, 'reg_s' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('request' as const),
      isDeposit: fc.boolean(),
      account,
      asset: fc.constantFrom(USD, EUR, COIN),
      amount: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('decide' as const),
      pick: small,
      decision: fc.constantFrom('approve', 'approve', 'reject', 'execute', 'execute', 'cancel'),
      isOfAnother: rarely,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('grant' as const),
      account,
      asset: fc.constantFrom(ALLOWANCE, POSITION),
      amount: fc.integer({ min: -60, max: 60 }),
      isExpected: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('facts' as const),
      account,
      frozen: fc.constantFrom(null, false, false, true),
      isStale: rarely,
      cancelsOrders: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('family' as const),
      account,
      isStale: rarely,
      isEnd: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('revoke' as const), account, key: fc.nat(20) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('market' as const),
      book,
      isOpen: fc.constantFrom(true, true, true, true, true, false),
      isStale: rarely,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('venue' as const), halted: rarely }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rate' as const),
      numerator: fc.integer({ min: 1, max: 4 }),
      denominator: fc.integer({ min: 1, max: 4 }),
      isStale: rarely,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rejected' as const),
      account,
      clientOrderId: fc.option(fc.nat(30)),
      isRepeated: rarely,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('confirm' as const), pick: small, book }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rules' as const),
      reservationsMax: fc.integer({ min: 8, max: 17 }),
      reservationsForGuaranteed: fc.integer({ min: 0, max: 4 }),
      reservationsGuaranteedPerAccount: fc.integer({ min: 0, max: 3 }),
      reservationsForFew: fc.integer({ min: 0, max: 6 }),
      reservationsGuaranteedOfFew: fc.integer({ min: 0, max: 2 }),
      reservationsForFewest: fc.integer({ min: 0, max: 2 }),
      reservationsGuaranteedOfFewest: fc.integer({ min: 0, max: 1 }),
      reservationsPerPartnerMax: fc.integer({ min: 4, max: 9 }),
      amendmentsMax: fc.integer({ min: 1, max: 5 }),
      amendmentsForGuaranteed: fc.integer({ min: 0, max: 2 }),
      amendmentsGuaranteedPerAccount: fc.integer({ min: 0, max: 2 }),
      amendmentsForFew: fc.integer({ min: 0, max: 2 }),
      amendmentsGuaranteedOfFew: fc.integer({ min: 0, max: 1 }),
      lotsForFew: fc.integer({ min: 0, max: 6 }),
      lotsGuaranteedOfFew: fc.integer({ min: 0, max: 3 }),
      lotsPerPartnerMax: fc.integer({ min: 6, max: 16 }),
      partnerShare: fc.integer({ min: 1, max: 2 }),
      lotsForGuaranteed: fc.integer({ min: 0, max: 8 }),
      lotsGuaranteedPerAccount: fc.integer({ min: 0, max: 6 }),
      lotsMax: fc.integer({ min: 20, max: 32 }),
      lotsPerAccountMax: fc.integer({ min: 4, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('midnight' as const) }) },
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 50, maxLength: 300, size: 'max' });

export interface Asked {
  readonly transaction: LedgerTransaction;
  readonly backlogged: boolean;
  /** How many midnights have passed. */
  readonly day: number;
}

/**
 * The transactions that these steps come to, after deposits to begin with. It is answered each outcome, and follows it as a book would;
 * 'restart' asks whoever runs it to restore the ledger.
 */
export function* transactionsOf(sequence: readonly Step[]): Generator<Asked | 'restart', void, LedgerOutcome> {
  yield* new Street().play(sequence);
}

type Play<Result> = Generator<Asked | 'restart', Result, LedgerOutcome>;

class Street {
  readonly #books = [
    new SimpleBook(1, 'ACME-USD', STOCK, USD, true),
    new SimpleBook(2, 'COIN-EUR', COIN, EUR, false),
    new SimpleBook(3, 'ACME-EUR', STOCK, EUR, true),
  ] as const;
  /** Of the euro. */
  #rate: VersionedRate | null = null;
  readonly #lastBatches = new Map<SimpleBook, BookBatch>();
  readonly #factsVersions = new Map<string, number>();
  readonly #rulesVersions = new Map<string, number>();
  readonly #cancellations: string[] = [];
  /** What `boundary:register` has, by asset; the last split that began, and what the register has once it is over. */
  readonly #ofNobody = new Map<string, number>();
  readonly #splits = new Map<
    string,
    { readonly split: string; readonly units: number; readonly into: Conversion | null }
  >();
  readonly #requests: { readonly id: string; readonly account: string }[] = [];
  #ids = 0;
  #lastOrderId = '';
  #day = 0;

  *play(sequence: readonly Step[]): Play<void> {
    for (const each of this.#books) yield* this.#takeOver(each, false);
    for (const [n, account] of ACCOUNTS.entries()) {
      for (const money of [USD, EUR]) yield* this.#transfer('deposit', account, money, 200 * n + 100, 0, 0);
      for (const age of [1, 0, 2]) yield* this.#transfer('deposit', account, STOCK, 7 * n + 3, 8 * (7 * n + 3), age);
      yield* this.#transfer('deposit', account, COIN, 20 * n + 10, 7 * (20 * n + 10), 0);
      yield* this.#ask(this.#grant(account, ALLOWANCE, 60));
      yield* this.#ask(this.#grant(account, POSITION, 15));
    }
    const issued = {
      type: 'register',
      what: 'issue to both',
      amount: 5,
      cost: 9,
      isOfNobody: false,
      isUnbalanced: false,
    } as const;
    for (const asset of [REGISTERED, SURVIVOR] as const)
      yield* this.#register({ ...issued, asset, account: 0 }, ACCOUNTS[0]);
    for (const step of sequence) yield* this.#step(step);
    for (const each of this.#books) yield* this.#send(each, false);
  }

  *#step(step: Step): Play<void> {
    const played = 'book' in step ? this.#books[step.book as 0 | 1 | 2] : this.#books[0];
    const account = 'account' in step ? (ACCOUNTS[step.account] as string) : ACCOUNTS[0];
    switch (step.type) {
      case 'order': {
        const { quantity, price, isLimited, hasPosition, clientOrderId, key } = step;
        const id = step.isRepeated && this.#lastOrderId !== '' ? this.#lastOrderId : this.#id();
        this.#lastOrderId = id;
        const side = step.isBuy ? 'buy' : 'sell';
        const rate = played.quoteAsset === EUR ? this.#rate : null;
        const daily = key === null ? null : (KEY_LIMITS[key] as DailyLimits | null);
        const admission: OrderAdmission = {
          ...played.admissionOf({ id, account, side, quantity, price, isLimited, hasPosition, daily, rate }),
          investor: INVESTORS[step.account],
          clientOrderId: clientOrderId === null ? null : `client-${clientOrderId}`,
          keyId: key === null ? null : keyOf(account, key),
          factsVersion: this.#factsVersion(account) + (step.isStale ? 1 : 0),
          rulesVersion: this.#rulesVersion(played),
        };
        const refused = { code: 'INVALID_PRICE', status: 'rejected', reserve: 0, allowance: 0, position: 0 } as const;
        played.place(step.isRefusedByBook ? { ...admission, ...refused } : admission);
        return;
      }
      case 'fill': {
        const crossings = played.crossings();
        const [buy, sell] = crossings[step.pick % crossings.length] ?? [];
        if (buy !== undefined && sell !== undefined) played.fill(buy, sell, step.quantity, step.isBuyers);
        return;
      }
      case 'execute': {
        const order = played.open[step.pick % played.open.length];
        const settlesOn = step.settlesAfter === null ? null : SETTLEMENT_DAYS[step.settlesAfter];
        if (order !== undefined) played.execute(order, step.quantity, settlesOn ?? null);
        return;
      }
      case 'settle': {
        const through = SETTLEMENT_DAYS[step.after] ?? START;
        yield* this.#ask({ kind: 'settle', id: this.#id(), through, createdAt: START, event: null });
        return;
      }
      case 'reduce': {
        const order = played.open[step.pick % played.open.length];
        if (order !== undefined) played.reduce(order, step.quantity);
        return;
      }
      case 'amend': {
        const order = played.open[step.pick % played.open.length];
        if (order === undefined || order.remaining + step.more <= 0) return;
        const versions = [this.#factsVersion(order.account), this.#rulesVersion(played)] as const;
        const limitedKey =
          step.by === 'no key' ? null : step.by === 'another key' ? keyOf(order.account, 1) : order.limitedKey;
        played.amend(this.#id(), order, { more: step.more, price: step.price, limitedKey }, ...versions);
        return;
      }
      case 'cut':
        played.cut();
        return;
      case 'send':
        yield* this.#send(played, step.backlogged, step.isRepeated);
        return;
      case 'stray': {
        const last = this.#lastBatches.get(played);
        if (last === undefined) return;
        const { owner, batch, settledTo } = last;
        const next = { ...last, owner: played.owner, batch: batch + 1, settledFrom: settledTo, chunks: [] };
        const strays: BookBatch[] = [
          { ...next, owner: 'nobody' },
          { ...next, batch: batch + 2 },
          { ...next, settledFrom: settledTo + 1 },
        ];
        const stray = strays[step.what];
        if (stray !== undefined) yield* this.#ask(stray);
        else yield* this.#ask({ kind: 'own', book: played.symbol, owner: 'nobody', previousOwner: `${owner} before` });
        return;
      }
      case 'take over':
        yield* this.#takeOver(played, step.isSent);
        return;
      case 'transfer':
        yield* this.#transfer(
          step.isDeposit ? 'deposit' : 'withdrawal',
          account,
          step.asset,
          step.amount,
          step.cost,
          step.age,
        );
        return;
      case 'register':
        yield* this.#register(step, account);
        return;
      case 'distribute':
        yield* this.#distribute(step, account);
        return;
      case 'bridge': {
        const { movement, asset, amount, chain } = step;
        const vault = { organization: 'acme', chain };
        const transfer = this.#id();
        const named = step.amount % 2 === 0 ? { commitment: '5e'.repeat(32) } : {};
        const paid = movement === 'mint' && step.amount % 3 === 0 ? 'fee' : 'payout';
        const id = bridgeMovementId(transfer, movement === 'burn' ? 'debit' : paid, named.commitment);
        yield* this.#ask({
          kind: 'bridge',
          id,
          type: movement,
          account,
          asset,
          amount,
          vault,
          transfer,
          ...named,
          createdAt: START,
        });
        return;
      }
      case 'split':
        yield* this.#splitShares(step);
        return;
      case 'request': {
        const id = this.#id();
        const type = step.isDeposit ? 'deposit' : 'withdrawal';
        const terms = { account, asset: step.asset, amount: step.amount, reference: null, createdAt: START };
        this.#requests.push({ id, account });
        yield* this.#ask({ kind: 'transfer_request', id, type, ...terms });
        return;
      }
      case 'decide': {
        const request = this.#requests.at(-1 - (step.pick % 3));
        if (request === undefined) return;
        const of = step.isOfAnother ? 'nobody' : request.account;
        const terms = { decision: step.decision, cost: 0, reason: null, createdAt: START, event: null };
        yield* this.#ask({ kind: 'transfer_decision', id: this.#id(), request: request.id, account: of, ...terms });
        return;
      }
      case 'grant': {
        const expect = step.isExpected ? [] : [{ account, asset: step.asset, available: 15, held: 0 }];
        yield* this.#ask({ ...this.#grant(account, step.asset, step.amount), expect });
        return;
      }
      case 'facts': {
        const id = this.#id();
        const version = this.#factsVersion(account);
        const outcome = yield* this.#ask({
          kind: 'facts',
          id,
          account,
          expectedVersion: version + (step.isStale ? 1 : 0),
          facts: step.frozen === null ? null : { ...FACTS, frozen: step.frozen },
          cancelsOrders: step.cancelsOrders,
          createdAt: START,
          event: null,
        });
        if (outcome.type === 'done') this.#factsVersions.set(account, version + 1);
        this.#cancellations.push(id);
        return;
      }
      case 'family': {
        const id = this.#id();
        const relative = ACCOUNTS[(ACCOUNTS.indexOf(account) + 1) % ACCOUNTS.length] ?? account;
        const [version, relativeVersion] = [this.#factsVersion(account), this.#factsVersion(relative)];
        const outcome = yield* this.#ask({
          kind: 'family',
          id,
          relation: id,
          account,
          relative,
          expectedVersion: version,
          expectedRelativeVersion: relativeVersion + (step.isStale ? 1 : 0),
          change: step.isEnd
            ? { type: 'ended', reason: 'divorced', by: 'operator' }
            : { type: 'recorded', relationship: 'sibling', evidence: 'a register', by: 'operator' },
          createdAt: START,
          event: { id, type: 'operator.family_recorded', subject: account, payload: {}, createdAt: START },
        });
        if (outcome.type === 'done') {
          this.#factsVersions.set(account, version + 1);
          this.#factsVersions.set(relative, relativeVersion + 1);
        }
        this.#cancellations.push(id);
        return;
      }
      case 'revoke': {
        const id = this.#id();
        const keyIds = [keyOf(account, step.key)];
        yield* this.#ask({ kind: 'revoke_keys', id, account, keyIds, createdAt: START });
        this.#cancellations.push(id);
        return;
      }
      case 'market': {
        const version = this.#rulesVersion(played);
        const outcome = yield* this.#ask({
          kind: 'market',
          id: this.#id(),
          symbol: played.symbol,
          expectedVersion: version + (step.isStale ? 1 : 0),
          rules: { ...OPEN_RULES, status: step.isOpen ? 'open' : 'halted' },
          createdAt: START,
          event: null,
        });
        if (outcome.type === 'done') this.#rulesVersions.set(played.symbol, version + 1);
        return;
      }
      case 'rate': {
        const { numerator, denominator } = step;
        const version = this.#rate?.version ?? 0;
        const expectedVersion = version + (step.isStale ? 1 : 0);
        const terms = { asset: EUR, expectedVersion, numerator, denominator, createdAt: START, event: null };
        const outcome = yield* this.#ask({ kind: 'rate', id: this.#id(), ...terms });
        if (outcome.type === 'done') this.#rate = { version: version + 1, numerator, denominator };
        return;
      }
      case 'venue':
        yield* this.#ask({ kind: 'venue', id: this.#id(), halted: step.halted, createdAt: START, event: null });
        return;
      case 'rejected': {
        const id = step.isRepeated && this.#lastOrderId !== '' ? this.#lastOrderId : this.#id();
        const clientOrderId = step.clientOrderId === null ? null : `client-${step.clientOrderId}`;
        const admission = {
          ...played.admissionOf({
            id,
            account,
            side: 'buy',
            quantity: 1,
            price: 2,
            isLimited: false,
            hasPosition: false,
            daily: null,
            rate: null,
          }),
          clientOrderId,
          investor: INVESTORS[step.account],
        };
        yield* this.#ask({
          kind: 'rejected_order',
          order: { ...admission, book: null, assetId: STOCK, preIpo: false, code: 'INVALID_PRICE' },
        });
        return;
      }
      case 'confirm': {
        const id = this.#cancellations[step.pick % this.#cancellations.length];
        if (id !== undefined) yield* this.#ask({ kind: 'cancelled', id, book: played.symbol });
        return;
      }
      case 'rules': {
        const { type: _, ...limits } = step;
        yield* this.#ask({
          kind: 'ledger_rules',
          version: LEDGER_CODE.rules.version,
          limits: { ...LEDGER_LIMITS, ...limits },
        });
        return;
      }
      case 'midnight':
        this.#day += 1;
        return;
      case 'restart':
        yield 'restart';
    }
  }

  *#send(book: SimpleBook, backlogged: boolean, isRepeated = false): Play<void> {
    const batch = book.batch();
    const outcome = yield* this.#ask(batch, backlogged);
    if (isRepeated) yield* this.#ask(batch, !backlogged);
    book.landed(batch, outcome as Parameters<SimpleBook['landed']>[1]);
    this.#lastBatches.set(book, batch);
  }

  /** `isSent`: its last batch has landed, and the owner is gone before it could journal what it admitted. */
  *#takeOver(book: SimpleBook, isSent: boolean): Play<void> {
    const { owner } = book;
    const lost = isSent ? book.batch() : null;
    if (lost !== null) {
      yield* this.#ask(lost);
      this.#lastBatches.set(book, lost);
    }
    book.nextOwner();
    const outcome = yield* this.#ask({ kind: 'own', book: book.symbol, owner: book.owner, previousOwner: owner });
    book.taken(outcome as OwnOutcome, lost);
    // What the old owner still has on its way is too late.
    const last = this.#lastBatches.get(book);
    if (last !== undefined) yield* this.#ask(last);
    if (last !== undefined)
      yield* this.#ask({ ...last, batch: last.batch + 1, settledFrom: last.settledTo, chunks: [] });
  }

  *#transfer(
    type: Transfer['type'],
    account: string,
    asset: string,
    amount: number,
    cost: number,
    age: number,
  ): Play<LedgerOutcome> {
    const id = this.#id();
    const isDeposit = type === 'deposit';
    const tracksLots = asset === STOCK || asset === REGISTERED || asset === SURVIVOR;
    const lots = isDeposit && tracksLots ? this.#lotsOf(id, account, amount, cost, age) : [];
    const terms = { account, asset, amount, cost: isDeposit ? cost : 0, tracksLots, lots };
    return yield* this.#ask({ kind: 'transfer', id, type, ...terms, reference: null, createdAt: START, event: null });
  }

  *#register(step: Extract<Step, { type: 'register' }>, account: string): Play<void> {
    const { what, asset, amount, cost, isOfNobody, isUnbalanced } = step;
    const id = this.#id();
    const given = (holder: string, change: number): RegisterLeg => ({
      account: holder,
      change,
      lots: change > 0 && !isBoundary(holder) ? this.#lotsOf(id, holder, change, cost, 1) : [],
    });
    const [issuance, register] = ['boundary:issuance', 'boundary:register'];
    const holder = isOfNobody ? register : account;
    const legs = {
      issue: [given(issuance, -amount), given(holder, amount)],
      'issue to both': [given(issuance, -2 * amount), given(account, amount), given(register, amount)],
      cancel: [given(holder, -amount), given(issuance, amount)],
      'take in': [given(account, -amount), given(register, amount)],
      'hand out': [given(register, -amount), given(account, amount)],
    }[what];
    const asked = isUnbalanced ? legs.slice(1) : legs;
    const outcome = yield* this.#ask({
      kind: 'register_entry',
      id,
      asset,
      legs: asked,
      createdAt: START,
      event: null,
    });
    if (outcome.type !== 'done') return;
    const change = asked.find((leg) => leg.account === register)?.change ?? 0;
    this.#ofNobody.set(asset, (this.#ofNobody.get(asset) ?? 0) + change);
  }

  /** With what takes the place of the shares, all of which end then. */
  *#splitShares({ what, asset, ratio, fractions, ...converted }: Extract<Step, { type: 'split' }>): Play<void> {
    const [first = 1, second = 1] = ratio;
    const isConversion = converted.into !== null && (first !== 1 || second !== 0);
    const [from, to] = isConversion ? [1, 0] : [first, second];
    const ask = (split: string, step: Split['step']) =>
      this.#ask({ kind: 'split', id: this.#id(), split, asset, step, createdAt: START });
    const units = this.#ofNobody.get(asset) ?? 0;
    const by = { from: first, to: second, fractions };
    const into = {
      ...by,
      asset: converted.into ?? '',
      register: isConversion ? splitUnits(units, by) : 0,
      restrictionEndsAt: converted.restrictionEndsAt,
      ...(converted.regulation === undefined ? {} : { regulation: converted.regulation }),
    };
    const terms = { from, to, fractions, ...(isConversion ? { into } : {}) };
    const register = { from: what === 'of other shares' ? units + 1 : units, to: splitUnits(units, terms) };
    if (what !== 'part') {
      const split = this.#id();
      const begun = yield* ask(split, { type: 'begin', ...terms, register, books: [] });
      if (begun.type === 'done')
        this.#splits.set(asset, { split, units: register.to, into: isConversion ? into : null });
    }
    const last = this.#splits.get(asset);
    if (last === undefined || what === 'begin' || what === 'of other shares') return;
    const step = { type: 'part', part: what === 'late part' ? 2 : 1 } as const;
    const outcome = yield* ask(last.split, what === 'give up' ? { type: 'give_up' } : step);
    if (outcome.type === 'done' && what !== 'give up') {
      this.#ofNobody.set(asset, last.units);
      const { asset: other = asset, register: got = 0 } = last.into ?? {};
      this.#ofNobody.set(other, (this.#ofNobody.get(other) ?? 0) + got);
    }
    // What is asked again moves nothing; after another begins it is not its turn.
    yield* ask(last.split, what === 'give up' ? { type: 'give_up' } : step);
    if (what !== 'late part') return;
    yield* ask(this.#id(), { type: 'begin', ...terms, register, books: [] });
    const legs = [-1, 1].map((change) => ({
      account: change < 0 ? 'boundary:issuance' : 'boundary:register',
      change,
      lots: [],
    }));
    const issued = { kind: 'register_entry', id: this.#id(), asset, legs, createdAt: START, event: null } as const;
    if ((yield* this.#ask(issued)).type === 'done') this.#ofNobody.set(asset, (this.#ofNobody.get(asset) ?? 0) + 1);
  }

  /** One account pays in, or each gets a share; every second one gives back. */
  *#distribute(step: Extract<Step, { type: 'distribute' }>, account: string): Play<void> {
    const { what, asset, amount } = step;
    const signed = (each: string, n: number): DistributionLeg => ({
      account: each,
      change: what === 'give back' && n % 2 === 1 ? -amount : amount + n,
    });
    const legs = what === 'pay in' ? [{ account, change: -amount }] : ACCOUNTS.map(signed);
    const terms = { asset, legs, reference: 'Dividend', createdAt: START };
    yield* this.#ask({ kind: 'distribution', id: this.#id(), ...terms });
  }

  /** One lot or two. */
  #lotsOf(id: string, account: string, amount: number, cost: number, age: number): Transfer['lots'] {
    const first = Math.ceil(amount / 3);
    return [first, amount - first]
      .filter((quantity) => quantity > 0)
      .map((quantity, n) =>
        lot({
          id: `${id}.${n}`,
          account,
          quantity,
          cost: Math.floor((cost * quantity) / amount),
          acquiredAt: START - age * 1_000,
          restrictionEndsAt: age === 0 ? null : START + age,
          offeringType: age === 2 ? 'reg_d' : null,
        }),
      );
  }

  #grant(account: string, asset: string, amount: number) {
    return { kind: 'grant', id: this.#id(), account, asset, amount, createdAt: START, expect: [] } as const;
  }

  *#ask(transaction: LedgerTransaction, backlogged = false): Play<LedgerOutcome> {
    return yield { transaction, backlogged, day: this.#day };
  }

  #factsVersion(account: string): number {
    return this.#factsVersions.get(account) ?? 1;
  }

  #rulesVersion({ symbol }: SimpleBook): number {
    return this.#rulesVersions.get(symbol) ?? 1;
  }

  #id(): string {
    this.#ids += 1;
    return idAt(START + 100, this.#ids);
  }
}
