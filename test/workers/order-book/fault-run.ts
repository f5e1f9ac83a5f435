import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { expect } from 'vitest';
import { runAudit } from '../../../data/audit/run-audit.ts';
import type { Database } from '../../../data/database.ts';
import { batchText } from '../../../domain/ledger/batch-text.ts';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import { compareHolds } from '../../../domain/ledger/compare-holds.ts';
import { laterCode } from '../../../domain/ledger/ledger-rules.fixtures.ts';
import { LEDGER_CODE, type LedgerCode } from '../../../domain/ledger/ledger-rules.ts';
import type { TransferOutcome } from '../../../domain/ledger/outcomes.ts';
import type { OrderAdmission, ReceivedLot } from '../../../domain/ledger/records.ts';
import type { Transfer } from '../../../domain/ledger/transactions.ts';
import type { OrderTerms, OrderType, SelfTradePrevention, TimeInForce } from '../../../domain/orders/order.ts';
import type { CommitAnswer } from '../../../durable-objects/ledger/api.ts';
import type { BookCommand, BookResult, PlaceCommand } from '../../../durable-objects/order-book/api.ts';
import { laterBookCode } from '../../../durable-objects/order-book/journal/engine-version.fixtures.ts';
import { BOOK_CODE, type BookCode } from '../../../durable-objects/order-book/journal/engine-version.ts';
import { createCurrency } from '../fixtures/create-currency.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { createTrader } from '../fixtures/create-trader.ts';
import { giveAllowance } from '../fixtures/give-balance.ts';
import { setFacts, setRules } from '../fixtures/operate.ts';
import {
  clearLedgerFaults,
  type D1Fate,
  landLateRequests,
  ledgerFaults,
  planLedgerFaults,
} from '../ledger-object/faulty-ledger.ts';
import { ask } from '../ledger-object/ledger-client.ts';
import { balanceOf, cancel, orderRow, place, untilProjected } from './book-commands.ts';
import { type CallFate, clearFaults, faults, landLateCalls } from './faults.ts';

const TRADERS = 50;
/** Owners of a book that are gone again begin so. */
const INTRUDER = 'intruder';
const CASH = 50_000;
const SHARES = 60;
/** In the middle of the prices: some sales lose. */
const SHARE_COST = 95_0;
const ALLOWANCE = 200_00;
const TRIES_MAX = 400;
const COMPARISONS_MAX = 20;
const GTD_MS_MAX = 30;
const YEAR_MS = 365 * 86_400_000;
const LEDGER = 'ledger:0';
const REG_CF = 'allowance:reg_cf';
/** Of every fourth trader: what of everything may still be bought. */
const POSITION = 'position:fault';
const LIMITED_EVERY = 4;
const ROOM = 40;
const USD = 'usd';

/** Small, seeded and good enough to draw faults from (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Deployment {
  readonly ledger: LedgerCode;
  readonly book: BookCode;
}

/** Both have both versions of rules and engine, and each goes by one of them. */
const DEPLOYMENTS: readonly [Deployment, Deployment] = [
  { ledger: laterCode(LEDGER_CODE.rules.version), book: laterBookCode(BOOK_CODE.current) },
  { ledger: laterCode(), book: laterBookCode() },
];
/** The one that runs; it goes on from one run to the next, because the ledger does. */
let deployed = DEPLOYMENTS[0];
/** Objects that still run the code of before: they are killed at their next step. */
const replaced = new Set<string>();

/** No faults any more, under the code that is deployed. */
function endFaults(): void {
  clearFaults();
  clearLedgerFaults();
  faults.code = deployed.book;
  planLedgerFaults({ code: deployed.ledger });
}

/** Kills of book, ledger and projector, and lost, late and doubled calls between them, to D1 and to R2; at most `faultsMax`, so that every run ends. */
function planRandomFaults(seed: number, faultsMax: number): void {
  const draw = random(seed);
  let left = faultsMax;
  const strikes = (chance: number): boolean => {
    if (left === 0 || draw() > chance) return false;
    left -= 1;
    return true;
  };
  const one = <T>(fates: readonly T[]): T => fates[Math.floor(draw() * fates.length)] as T;
  const calls: CallFate[] = ['request_lost', 'answer_lost', 'lands_late', 'doubled', 'slow', 'hangs', 'answer_hangs'];
  const batches: D1Fate[] = ['request_lost', 'answer_lost', 'lands_late', 'doubled', 'away'];
  faults.haste = 1_000;
  faults.code = deployed.book;
  faults.plan = {
    kills: (_, book) => replaced.delete(book) || strikes(0.05),
    ledger: () => (strikes(0.12) ? one(calls) : 'through'),
  };
  planLedgerFaults({
    code: deployed.ledger,
    kills: (_, shard) => replaced.delete(shard) || strikes(0.02),
    d1: () => (strikes(0.1) ? one(batches) : 'through'),
    r2: () => (strikes(0.3) ? one(batches) : 'through'),
    // Checkpoints, D1 batches, groups and segments that a run of this size gets to see.
    settings: { checkpointRows: 25, projectRowsMax: 7, groupTransactionsMax: 3, segmentRows: 20, sealRetry_ms_min: 2 },
  });
}

/** Of each account's API key: some orders come up against them. */
const DAILY = { notionalMax: 200_000, lossMax: 5_000 };

/** Sends commands as order entry does: a lost object is asked again, with the same ids, on a fresh stub. */
export async function send(symbol: string, commands: BookCommand[]): Promise<BookResult[]> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return await env.ORDER_BOOK.getByName(symbol).submit(commands);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  throw new Error('the book did not come back');
}

/** Traders of every run of a file: their facts change, and their cash comes and goes. */
export interface Crowd {
  readonly accounts: readonly string[];
  readonly factsVersions: Map<string, number>;
}

export async function gatherCrowd(db: Database): Promise<Crowd> {
  await createCurrency(db);
  const accounts: string[] = [];
  for (let i = 0; i < TRADERS; i++) {
    const { accountId } = await createTrader(db, { cash: CASH });
    if (i % 3 === 0) await giveAllowance(accountId, REG_CF, ALLOWANCE);
    if (i % LIMITED_EVERY === 0) await giveAllowance(accountId, POSITION, ROOM);
    accounts.push(accountId);
  }
  return { accounts, factsVersions: new Map(accounts.map((account) => [account, 1])) };
}

export interface FaultRunFigures {
  readonly orders: number;
  readonly trades: number;
  /** Deposits and withdrawals that were made. */
  readonly transfers: number;
  /** Instances that took a book over from one that was running. */
  readonly intruders: number;
  /** Of code with another version of rules and engine. */
  readonly deployments: number;
  /** Readings of market data that were answered. */
  readonly reads: number;
}

interface Placed {
  readonly command: PlaceCommand;
  readonly book: string;
  readonly answers: BookResult[];
  /** Reports of cancellations that were acknowledged. */
  readonly cancelled: Extract<BookResult, { type: 'done' }>[];
  /** Answers of amendments. */
  readonly amended: BookResult[];
}

/**
 * One seeded run: a crowd trades on two books that share their accounts, with every command that there is, and moves money and shares in and
 * out, while books and ledger are killed, calls, D1 batches and segments go astray, other instances take books over, and other code is deployed; then the
 * faults end, everything drains, and everything must be right.
 */
export async function faultRun(db: Database, crowd: Crowd, seed: number, operations: number): Promise<FaultRunFigures> {
  const run = new Run(db, crowd, seed);
  await run.open();
  planRandomFaults(seed * 7919 + 1, 18);
  for (let i = 0; i < operations; i++) await run.operate();
  await run.end();
  return run.figures();
}

class Run {
  readonly #db: Database;
  readonly #crowd: Crowd;
  readonly #draw: () => number;
  readonly #name: string;
  readonly #books: string[] = [];
  readonly #rulesVersions = new Map<string, number>();
  readonly #placed: Placed[] = [];
  readonly #massCancelled: string[] = [];
  readonly #transfers: { readonly transfer: Transfer; readonly outcomes: TransferOutcome[] }[] = [];
  /** Orders that an instance admitted which lived beside the running one, and was gone before it could journal them. */
  readonly #strays: { readonly order: OrderAdmission; readonly answer: CommitAnswer }[] = [];
  /** The last sequence of each book that a reader has seen. */
  readonly #sequences = new Map<string, number>();
  #boundaryBefore: readonly number[] = [];
  #intruders = 0;
  #deployments = 0;
  #reads = 0;
  readonly #jobs: Promise<void>[] = [];

  constructor(db: Database, crowd: Crowd, seed: number) {
    this.#db = db;
    this.#crowd = crowd;
    this.#draw = random(seed);
    this.#name = `S${seed}`;
  }

  async open(): Promise<void> {
    const market = { makerFeeBps: this.#below(20), takerFeeBps: this.#below(40), referencePrice: 95_0 };
    const [lots, coins] = [`${this.#name}A`, `${this.#name}B`];
    await createPair(this.#db, lots, { market, asset: { regulation: 'reg_cf' } });
    await createPair(this.#db, coins, { market, asset: { tracksLots: false, category: 'crypto', rail: 'digital' } });
    this.#books.push(`${lots}-USD`, `${coins}-USD`);
    for (const book of this.#books) this.#rulesVersions.set(book, 1);
    await Promise.all(
      this.#crowd.accounts.flatMap((account, index) => [
        this.#give(account, lots.toLowerCase(), index % 4 === 0),
        this.#give(account, coins.toLowerCase(), null),
      ]),
    );
    this.#boundaryBefore = await boundaryCash();
  }

  async operate(): Promise<void> {
    const kind = this.#draw();
    if (kind < 0.6) this.#place();
    else if (kind < 0.7) this.#cancel();
    else if (kind < 0.8) this.#amend();
    else if (kind < 0.83) this.#massCancel();
    else if (kind < 0.88) this.#transfer();
    else if (kind < 0.93) this.#read();
    else if (kind < 0.945) this.#intrude();
    else if (kind < 0.955) this.#deploy();
    else if (kind < 0.98) await this.#changeFacts();
    else await this.#changeRules();
    if (this.#draw() < 0.3) await new Promise((resolve) => setTimeout(resolve, this.#below(4)));
    if (this.#draw() < 0.1) await landLateCalls();
    if (this.#draw() < 0.05) await landLateRequests();
  }

  async end(): Promise<void> {
    await Promise.all(this.#jobs);
    endFaults();
    await landLateCalls();
    await landLateRequests();
    // Everything with an expiry expires now; what is asked for the second time finds nothing left to do.
    await new Promise((resolve) => setTimeout(resolve, GTD_MS_MAX));
    // A book that has nothing to send does not notice that another instance has come and gone: the next one does. One that is not running cannot be
    // evicted, and need not be.
    for (const book of this.#books) {
      const { owner } = await ask(LEDGER, (ledger) => ledger.fence(book));
      if (owner.startsWith(INTRUDER)) await evictDurableObject(env.ORDER_BOOK.getByName(book)).catch(() => undefined);
    }
    for (const book of [...this.#books, ...this.#books]) {
      expect(await ask(book, async () => (await env.ORDER_BOOK.getByName(book).status()).halted)).toBeNull();
      expect(await ask(book, async () => env.ORDER_BOOK.getByName(book).settled())).toBe(true);
    }
    await assertLedgerIsRight(this.#db);
    await this.#assertBooksAgree();
    await this.#assertBalancesAgree();
    await this.#assertAnswersWereKept();
    await this.#assertTransfersWereKept();
    await this.#assertStraysWereReleased();
  }

  async figures(): Promise<FaultRunFigures> {
    const count = await env.DB.prepare('SELECT count(*) AS n FROM trades WHERE book IN (?1, ?2)')
      .bind(...this.#books)
      .first<{ n: number }>();
    return {
      orders: this.#placed.length,
      trades: count?.n ?? 0,
      transfers: this.#transfers.filter(({ outcomes }) => outcomes[0]?.type === 'done').length,
      intruders: this.#intruders,
      deployments: this.#deployments,
      reads: this.#reads,
    };
  }

  /** What it comes to is looked at in the end. */
  #begin(job: () => Promise<void>): void {
    const begun = job();
    begun.catch(() => undefined);
    this.#jobs.push(begun);
  }

  #place(): void {
    const account = this.#one(this.#crowd.accounts);
    const book = this.#one(this.#books);
    const side = this.#draw() < 0.5 ? 'buy' : 'sell';
    const price = 90_0 + this.#below(12) * 10;
    const facts = {
      factsVersion: this.#crowd.factsVersions.get(account) ?? 1,
      rulesVersion: this.#rulesVersions.get(book) ?? 1,
      attributes: this.#below(4),
      clientOrderId: this.#draw() < 0.2 ? `c${this.#below(30)}` : null,
      allowanceAsset: side === 'buy' && this.#draw() < 0.2 ? REG_CF : null,
      positionAsset: this.#crowd.accounts.indexOf(account) % LIMITED_EVERY === 0 ? POSITION : null,
      ...(this.#draw() < 0.2 ? { keyId: `key of ${account}`, daily: DAILY } : {}),
    };
    const command = place(account, side, 1 + this.#below(15), price, this.#terms(price), facts);
    const placed: Placed = { command, book, answers: [], cancelled: [], amended: [] };
    this.#placed.push(placed);
    const once = async (): Promise<void> => {
      placed.answers.push(await sendUntilKnown(book, command));
    };
    this.#begin(once);
    if (this.#draw() < 0.15) this.#begin(once);
  }

  /** Terms of any type, with a time in force that goes with it. */
  #terms(price: number): Partial<OrderTerms> {
    const type = this.#one<OrderType>([
      'limit',
      'limit',
      'limit',
      'limit',
      'market',
      'limit_maker',
      'stop_loss',
      'stop_loss_limit',
      'take_profit',
      'take_profit_limit',
    ]);
    const selfTradePrevention = this.#one<SelfTradePrevention>([
      'cancel_newest',
      'cancel_oldest',
      'cancel_both',
      'decrement',
    ]);
    if (type === 'market') return { type, timeInForce: 'IOC', price: null, selfTradePrevention };
    const isStop = type.startsWith('stop') || type.startsWith('take');
    const stopPrice = isStop ? price + (this.#below(5) - 2) * 10 : null;
    if (type === 'stop_loss' || type === 'take_profit')
      return { type, timeInForce: 'GTC', price: null, stopPrice, selfTradePrevention };
    if (type !== 'limit') return { type, timeInForce: 'GTC', stopPrice, selfTradePrevention };
    const timeInForce = this.#one<TimeInForce>(['GTC', 'GTC', 'GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY']);
    const rests = timeInForce === 'GTC' || timeInForce === 'GTD';
    return {
      type,
      timeInForce,
      selfTradePrevention,
      expiresAt: timeInForce === 'GTD' ? Date.now() + this.#below(GTD_MS_MAX) : null,
      hidden: rests && this.#draw() < 0.1,
      displayQuantity: rests && this.#draw() < 0.1 ? 1 + this.#below(3) : null,
    };
  }

  #cancel(): void {
    const earlier = this.#earlier();
    if (earlier === undefined) return;
    const { account, orderId } = earlier.command;
    const once = async (): Promise<void> => {
      const [result] = await send(earlier.book, [cancel(account, orderId)]);
      if (result?.type === 'done') earlier.cancelled.push(result);
    };
    this.#begin(once);
  }

  #amend(): void {
    const earlier = this.#earlier();
    if (earlier === undefined) return;
    const { account, orderId } = earlier.command;
    const command: BookCommand = {
      type: 'amend',
      amendmentId: uuidv7(),
      checkedOver: null,
      orderId,
      account,
      quantity: 1 + this.#below(20),
      price: this.#draw() < 0.5 ? null : 90_0 + this.#below(12) * 10,
      unfilledOnly: this.#draw() < 0.5,
      limitedKey: earlier.command.daily === null || this.#draw() < 0.2 ? null : earlier.command.keyId,
      factsVersion: this.#crowd.factsVersions.get(account) ?? 1,
      rulesVersion: this.#rulesVersions.get(earlier.book) ?? 1,
    };
    const once = async (): Promise<void> => {
      const [result] = await send(earlier.book, [command]);
      if (result !== undefined) earlier.amended.push(result);
    };
    this.#begin(once);
    if (this.#draw() < 0.15) this.#begin(once);
  }

  #massCancel(): void {
    const account = this.#one(this.#crowd.accounts);
    const side = this.#draw() < 0.5 ? null : 'buy';
    const once = async (): Promise<void> => {
      const command = { type: 'mass_cancel', account, keyId: null, side, reason: 'user' } as const;
      const [result] = await send(this.#one(this.#books), [command]);
      if (result?.type === 'mass_cancelled') this.#massCancelled.push(...result.orderIds);
    };
    this.#begin(once);
  }

  /** Money or shares come in or leave, at times asked for twice at once. */
  #transfer(): void {
    const type = this.#draw() < 0.5 ? 'deposit' : 'withdrawal';
    const account = this.#one(this.#crowd.accounts);
    const [ofLots = '', ofCoins = ''] = this.#books.map((book) => book.replace('-USD', '').toLowerCase());
    const asset = this.#one([USD, ofLots, ofCoins]);
    const amount = asset === USD ? 1 + this.#below(3_000) : 1 + this.#below(20);
    const lots = type === 'deposit' && asset === ofLots ? [lotOf(uuidv7(), account, amount, Date.now())] : [];
    const transfer = { ...transferOf(type, account, asset, amount, lots), tracksLots: asset === ofLots };
    const made = { transfer, outcomes: [] as TransferOutcome[] };
    this.#transfers.push(made);
    const once = async (): Promise<void> => {
      made.outcomes.push(await ask(LEDGER, (ledger) => ledger.transact(transfer)));
    };
    this.#begin(once);
    if (this.#draw() < 0.3) this.#begin(once);
  }

  /** What anyone is shown of a book is in order, and never older than what was shown before. */
  #read(): void {
    const book = this.#one(this.#books);
    const once = async (): Promise<void> => {
      const seen = this.#sequences.get(book) ?? 0;
      const { sequence, bids, asks } = await ask(book, async () => env.ORDER_BOOK.getByName(book).depth(20));
      expect(sequence, `${book} shows what it showed`).toBeGreaterThanOrEqual(seen);
      this.#sequences.set(book, Math.max(sequence, this.#sequences.get(book) ?? 0));
      this.#reads += 1;
      const bidPrices = bids.map((level) => level[0] as number);
      const askPrices = asks.map((level) => level[0] as number);
      expect(bidPrices).toEqual([...new Set(bidPrices)].sort((a, b) => b - a));
      expect(askPrices).toEqual([...new Set(askPrices)].sort((a, b) => a - b));
      for (const level of [...bids, ...asks]) expect(level[1]).toBeGreaterThan(0);
      const { bid, ask: offer } = await ask(book, async () => env.ORDER_BOOK.getByName(book).ticker());
      // Restricted lots meet only some buyers, so their book may be crossed.
      if (book === this.#books[0]) return;
      expect(bidPrices[0] ?? 0, 'bids stand below asks').toBeLessThan(askPrices[0] ?? Number.POSITIVE_INFINITY);
      expect(bid ?? 0, 'the best bid stands below the best ask').toBeLessThan(offer ?? Number.POSITIVE_INFINITY);
    };
    this.#begin(once);
  }

  /** Another instance takes the book over while one is running, has an order admitted where it may, and is gone. */
  #intrude(): void {
    const book = this.#one(this.#books);
    const order = strayOrder(this.#one(this.#crowd.accounts));
    const once = async (): Promise<void> => {
      const { owner: previousOwner } = await ask(LEDGER, (ledger) => ledger.fence(book));
      const owner = `${INTRUDER} ${order.id}`;
      const taking = { kind: 'own', book, owner, previousOwner } as const;
      const taken = await ask(LEDGER, (ledger) => ledger.takeOwnership(taking));
      if (taken.type !== 'taken') return;
      this.#intruders += 1;
      // What the last batch admitted, and the journal may lack, is released before another batch leaves.
      if (taken.admitted.length > 0) return;
      const text = batchText({
        kind: 'batch',
        book,
        owner,
        batch: taken.batch + 1,
        settledFrom: taken.settled,
        settledTo: taken.settled,
        baseAsset: book.replace('-USD', '').toLowerCase(),
        quoteAsset: USD,
        tracksLots: book === this.#books[0],
        emitsEvents: false,
        chunks: [],
        orders: [{ ...order, rulesVersion: this.#rulesVersions.get(book) ?? 1 }],
        amendments: [],
      });
      const answer = JSON.parse(await ask(LEDGER, (ledger) => ledger.commitText(text))) as CommitAnswer;
      this.#strays.push({ order, answer });
    };
    this.#begin(once);
  }

  /** Other code, which goes by the other version of rules and engine; what runs is killed at its next step. */
  #deploy(): void {
    deployed = deployed === DEPLOYMENTS[0] ? DEPLOYMENTS[1] : DEPLOYMENTS[0];
    faults.code = deployed.book;
    ledgerFaults.plan = { ...ledgerFaults.plan, code: deployed.ledger };
    for (const name of [LEDGER, ...this.#books]) replaced.add(name);
    this.#deployments += 1;
  }

  /** Frozen and thawed again: everything open must go, and nothing checked before comes in. */
  async #changeFacts(): Promise<void> {
    const account = this.#one(this.#crowd.accounts);
    for (const frozen of [true, false]) await untilDone(() => setFacts(account, { frozen }));
    this.#crowd.factsVersions.set(account, (this.#crowd.factsVersions.get(account) ?? 1) + 2);
  }

  /** Halted and opened again, with other fees. */
  async #changeRules(): Promise<void> {
    const book = this.#one(this.#books);
    for (const rules of [{ status: 'halted' as const }, { status: 'open' as const, makerFeeBps: this.#below(20) }]) {
      await untilDone(() => setRules(book, rules));
      this.#rulesVersions.set(book, (this.#rulesVersions.get(book) ?? 1) + 1);
      await ask(book, async () => env.ORDER_BOOK.getByName(book).reconfigure());
    }
  }

  /** What the ledger reserves is what the books say that their orders hold, order by order. */
  async #assertBooksAgree(): Promise<void> {
    for (const book of this.#books) {
      let differences: string[] = ['nothing compared'];
      // Orders still expire meanwhile: what differs once and not again was on its way.
      for (let tries = 0; tries < COMPARISONS_MAX && differences.length > 0; tries++) {
        await ask(book, async () => env.ORDER_BOOK.getByName(book).settled());
        const inBook = await ask(book, async () => env.ORDER_BOOK.getByName(book).holds());
        const inLedger = await ask(LEDGER, (ledger) => ledger.reservations(book));
        if (inBook !== null) differences = compareHolds(inLedger, inBook);
      }
      expect(differences).toEqual([]);
    }
  }

  /** What D1 shows of the crowd is what the ledger has. */
  async #assertBalancesAgree(): Promise<void> {
    const { results } = await env.DB.prepare(
      `SELECT account, asset, available, held, cost FROM balances
       WHERE account IN (SELECT value FROM json_each(?1)) ORDER BY account, asset`,
    )
      .bind(JSON.stringify(this.#crowd.accounts))
      .all();
    const found = await Promise.all(
      [...this.#crowd.accounts].sort().map(async (account) => {
        const balances = await ask(LEDGER, (ledger) => ledger.balances(account));
        const rows = balances.map(({ asset, available, held, cost }) => ({ account, asset, available, held, cost }));
        return rows.sort((a, b) => (a.asset < b.asset ? -1 : 1));
      }),
    );
    expect(results).toEqual(found.flat());
  }

  async #assertAnswersWereKept(): Promise<void> {
    const { results } = await env.DB.prepare(
      'SELECT id, status, filled, quantity, price, code FROM orders WHERE book IN (?1, ?2)',
    )
      .bind(...this.#books)
      .all<{
        id: string;
        status: string;
        filled: number;
        quantity: number;
        price: number | null;
        code: string | null;
      }>();
    const rows = new Map(results.map((row) => [row.id, row]));
    for (const { command, answers, cancelled, amended } of this.#placed) {
      const { orderId } = command;
      const row = rows.get(orderId);
      const done = answers.flatMap((answer) => (answer.type === 'done' ? [answer.report] : []));
      if (done.length > 0) {
        expect(row, `acknowledged order ${orderId} is in the ledger`).toBeDefined();
        expect(row?.code, `acknowledged order ${orderId} was not released`).not.toBe('UNAVAILABLE');
        for (const report of done)
          expect(row?.filled, `order ${orderId} kept its fills`).toBeGreaterThanOrEqual(report.filled);
      } else {
        expect(row?.filled ?? 0, `order ${orderId} was answered ${answers.map(({ type }) => type)}`).toBe(0);
        expect(['rejected', undefined], `order ${orderId} was never acknowledged`).toContain(row?.status);
      }
      for (const { report } of cancelled) {
        expect(row, `order ${orderId} was cancelled`).toMatchObject({ status: report.status, filled: report.filled });
      }
      const taken = amended.filter((answer) => answer.type === 'done');
      const [only] = taken;
      // Of several at once the last that ran stands; of one alone it is known which that is.
      if (only?.type === 'done' && taken.length === amended.length && amended.length === 1)
        expect(row, `order ${orderId} was amended`).toMatchObject({ quantity: only.report.quantity });
    }
    for (const orderId of this.#massCancelled)
      expect(rows.get(orderId)?.status, `order ${orderId} was mass-cancelled`).toBe('cancelled');
  }

  /** Each transfer that was answered `done` stands in D1, once, no other does, and the boundary accounts have moved by just that. */
  async #assertTransfersWereKept(): Promise<void> {
    for (const { outcomes } of this.#transfers) {
      const [first] = outcomes;
      for (const outcome of outcomes) expect(['done', 'insufficient_balance']).toContain(outcome.type);
      if (outcomes.every(({ type }) => type === 'done')) for (const outcome of outcomes) expect(outcome).toEqual(first);
    }
    const done = this.#transfers.filter(({ outcomes }) => outcomes.some(({ type }) => type === 'done'));
    const ids = this.#transfers.map(({ transfer }) => transfer.id);
    const { results } = await env.DB.prepare(
      'SELECT id FROM transfers WHERE id IN (SELECT value FROM json_each(?1)) ORDER BY id',
    )
      .bind(JSON.stringify(ids))
      .all<{ id: string }>();
    expect(results.map(({ id }) => id)).toEqual(done.map(({ transfer }) => transfer.id).sort());
    const sumOf = (type: Transfer['type']): number =>
      done
        .filter(({ transfer }) => transfer.type === type && transfer.asset === USD)
        .reduce((sum, { transfer }) => sum + transfer.amount, 0);
    const [deposits = 0, withdrawals = 0] = this.#boundaryBefore;
    expect(await boundaryCash()).toEqual([deposits - sumOf('deposit'), withdrawals + sumOf('withdrawal')]);
  }

  /** What an instance admitted that never journaled it was given back by one that came after it. */
  async #assertStraysWereReleased(): Promise<void> {
    for (const { order, answer } of this.#strays) {
      if (answer.type === 'violated') throw new Error(answer.message);
      if (answer.type === 'landed' && answer.refused.length === 0)
        expect(await orderRow(order.id), `order ${order.id} of another instance`).toMatchObject({
          status: 'rejected',
          code: 'UNAVAILABLE',
          filled: 0,
          reserve: 0,
        });
    }
  }

  async #give(account: string, asset: string, isRestricted: boolean | null): Promise<void> {
    const id = uuidv7();
    const now = Date.now();
    const restriction = isRestricted ? { restrictionEndsAt: now + YEAR_MS, offeringType: 'reg_cf' } : null;
    const lots =
      isRestricted === null
        ? []
        : [0, 1].map((n) => ({
            ...lotOf(`${id}.${n}`, account, SHARES / 2, now - YEAR_MS + n),
            cost: (SHARES / 2) * SHARE_COST,
            ...restriction,
          }));
    const given = {
      ...transferOf('deposit', account, asset, SHARES, lots),
      cost: SHARES * SHARE_COST,
      tracksLots: isRestricted !== null,
    };
    const outcome = await ask(LEDGER, (ledger) => ledger.transact(given));
    if (outcome.type !== 'done') throw new Error(`a deposit came to ${outcome.type}`);
  }

  #earlier(): Placed | undefined {
    return this.#placed[this.#below(this.#placed.length)];
  }

  #below(end: number): number {
    return Math.floor(this.#draw() * end);
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }
}

function lotOf(id: string, account: string, quantity: number, acquiredAt: number): ReceivedLot {
  return { id, account, quantity, cost: 0, acquiredAt, restrictionEndsAt: null, offeringType: null };
}

function transferOf(
  type: Transfer['type'],
  account: string,
  asset: string,
  amount: number,
  lots: readonly ReceivedLot[],
): Transfer {
  const terms = { account, asset, amount, cost: 0, tracksLots: false, lots, reference: null } as const;
  return { kind: 'transfer', id: uuidv7(), type, ...terms, createdAt: Date.now(), event: null };
}

/** A small buy, as a book has it admitted. */
function strayOrder(account: string): OrderAdmission {
  const limits = { allowanceAsset: null, allowance: 0, positionAsset: null, position: 0 } as const;
  return {
    id: uuidv7(),
    account,
    owner: 'org-test',
    keyId: null,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 1,
    price: 90_0,
    stopPrice: null,
    expiresAt: null,
    clientOrderId: null,
    status: 'open',
    reserveAsset: USD,
    reserve: 90_0,
    ...limits,
    daily: null,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: Date.now(),
    code: null,
  };
}

/** What stands on the boundary accounts of deposits and withdrawals. */
async function boundaryCash(): Promise<readonly number[]> {
  const [deposits, withdrawals] = await Promise.all(
    [BOUNDARY_ACCOUNT.deposits, BOUNDARY_ACCOUNT.withdrawals].map((account) => balanceOf(account, USD)),
  );
  return [deposits?.available ?? 0, withdrawals?.available ?? 0];
}

/** As order entry does: `unavailable` says nothing of an earlier call, so the same id is asked for until the ledger has given it up. */
async function sendUntilKnown(book: string, command: PlaceCommand): Promise<BookResult> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const [result] = await send(book, [command]);
    if (result !== undefined && result.type !== 'unavailable') return result;
    const row = await untilDone(() => orderRow(command.orderId));
    if (result !== undefined && row?.code === 'UNAVAILABLE') return result;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`order ${command.orderId} stays unavailable`);
}

/** Operators repeat what they have no answer to. */
async function untilDone<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    try {
      return await act();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new Error('the ledger did not come back');
}

/** L1 to L4 in D1, once it has everything, and L1 to L3 in the ledger, which is what its journal gives. */
export async function assertLedgerIsRight(db: Database): Promise<void> {
  await untilProjected();
  expect((await runAudit(db)).filter((row) => !row.holds)).toEqual([]);
  expect(await ask(LEDGER, (ledger) => ledger.selfAudit())).toEqual([]);
}
