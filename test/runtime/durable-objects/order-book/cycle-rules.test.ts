import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { HOUR_MS } from '../../../../domain/calendar/durations.ts';
import type { SettlementChunk } from '../../../../domain/ledger/records.ts';
import type { BookBatch } from '../../../../domain/ledger/transactions.ts';
import type { AmendCommand, BookCommand, BookResult } from '../../../../durable-objects/order-book/api.ts';
import { Journal } from '../../../../durable-objects/order-book/journal/journal.ts';
import { balanceOf, cancel, orderRow, place, untilProjected } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { assertLedgerIsRight, send } from '../../fixtures/fault-run.ts';
import { type CallFate, clearFaults, type FaultPlan, faults, landLateCalls } from '../../fixtures/faults.ts';
import { giveAllowance, giveBalance, giveHolding } from '../../fixtures/give-balance.ts';
import { ask } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setFacts, setRules } from '../../fixtures/operate.ts';

let db: Database;
let markets = 0;
beforeAll(async () => {
  db = await migrate();
});
afterEach(() => {
  clearFaults();
  vi.restoreAllMocks();
});

/** A market of its own with a buyer who has 1,000.00 and a seller who has 100 shares. */
async function market(
  terms: Parameters<typeof createPair>[2] = {},
): Promise<{ symbol: string; asset: string; buyer: string; seller: string }> {
  markets += 1;
  const name = `RULE${markets}`;
  await createPair(db, name, terms);
  const buyer = await createTrader(db, { cash: 1_000_00 });
  const seller = await createTrader(db);
  await giveHolding({
    accountId: seller.accountId,
    asset: name.toLowerCase(),
    lots: [{ quantity: 60 }, { quantity: 40 }],
  });
  return { symbol: `${name}-USD`, asset: name.toLowerCase(), buyer: buyer.accountId, seller: seller.accountId };
}

/** Each fate in turn, then `through`; kills at the given point, so many times. */
function plan(fates: CallFate[], kill?: { point: Parameters<FaultPlan['kills']>[0]; times: number }): FaultPlan {
  let kills = kill?.times ?? 0;
  return {
    ledger: () => fates.shift() ?? 'through',
    kills: (point) => {
      if (point !== kill?.point || kills === 0) return false;
      kills -= 1;
      return true;
    },
  };
}

/** Without the retries of order entry: rejects when the object is lost. */
async function submitOnce(symbol: string, commands: BookCommand[]): Promise<BookResult[]> {
  return await env.ORDER_BOOK.getByName(symbol).submit(commands);
}

function amend(account: string, orderId: string, change: Partial<AmendCommand>): AmendCommand {
  const facts = { factsVersion: 1, rulesVersion: 1 };
  return {
    type: 'amend',
    amendmentId: uuidv7(),
    stopPrice: null,
    checkedOver: null,
    orderId,
    account,
    quantity: null,
    price: null,
    unfilledOnly: false,
    limitedKey: null,
    ...facts,
    ...change,
  };
}

/** A defect of the book: its fills pay out one unit too much. */
function paysTooMuch(batch: BookBatch): BookBatch {
  const spoiled = (chunk: SettlementChunk): SettlementChunk => ({
    ...chunk,
    balances: chunk.balances.map((move, index) => (index === 0 ? { ...move, available: move.available + 1 } : move)),
  });
  return { ...batch, chunks: batch.chunks.map((chunk) => (chunk.trades.length > 0 ? spoiled(chunk) : chunk)) };
}

describe('a command repeated after its answer was lost', () => {
  const answerLost = () => plan([], { point: 'before_answer', times: 1 });

  it('placed an order that was filled: that is the answer, though its own fill has moved the band', async () => {
    const { symbol, buyer, seller } = await market({ market: { bandBps: 500, referencePrice: 10_00 } });
    await send(symbol, [place(seller, 'sell', 10, 9_60)]);
    faults.plan = answerLost();
    const [result] = await send(symbol, [place(buyer, 'buy', 10, 10_40)]);
    expect(result).toMatchObject({ type: 'done', report: { status: 'filled', filled: 10 } });
  });

  it('placed an order that was filled: that is the answer, though the market has been halted since', async () => {
    const { symbol, buyer, seller } = await market();
    await send(symbol, [place(seller, 'sell', 10, 9_60)]);
    const order = place(buyer, 'buy', 10, 9_60);
    await send(symbol, [order]);
    await setRules(symbol, { status: 'halted' });
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    const [repeated, another] = await send(symbol, [
      { ...order, rulesVersion: 2 },
      place(buyer, 'buy', 10, 9_60, {}, { rulesVersion: 2 }),
    ]);
    expect(repeated).toMatchObject({ type: 'done', report: { status: 'filled', filled: 10 } });
    expect(another).toMatchObject({ type: 'refused', refusal: { reason: 'market_not_open' } });
  });

  it('amended an order: that is the answer, and an amendment of a final order is refused as ever', async () => {
    const { symbol, buyer, seller } = await market();
    const order = place(buyer, 'buy', 10, 9_00);
    await send(symbol, [order]);
    for (const change of [{ quantity: 7 }, { price: 9_10 }]) {
      faults.plan = answerLost();
      const [result] = await send(symbol, [amend(buyer, order.orderId, change)]);
      expect(result).toMatchObject({ type: 'done', report: change });
    }
    await send(symbol, [place(seller, 'sell', 7, 9_10)]);
    const [late] = await send(symbol, [amend(buyer, order.orderId, { quantity: 7, price: 9_10 })]);
    expect(late).toMatchObject({ type: 'refused', refusal: { reason: 'order_not_modifiable', status: 'filled' } });
    await assertLedgerIsRight(db);
  });
});

describe('a command that no book can take', () => {
  it.each([
    ['a stop price whose collar is no exact number', { type: 'stop_loss', stopPrice: Number.MAX_SAFE_INTEGER }],
    ['a limit that no band can be laid around', { price: Number.MAX_SAFE_INTEGER }],
  ] as const)('with %s is refused by itself, and who shares its cycle is served', async (_, terms) => {
    const { symbol, buyer, seller } = await market();
    const { owner } = await env.ORDER_BOOK.getByName(symbol).status();
    const [refused, other] = await submitOnce(symbol, [
      place(buyer, 'buy', 1, 'price' in terms ? terms.price : null, terms),
      place(seller, 'sell', 1, 10_00),
    ]);
    expect(refused).toMatchObject({ type: 'refused', refusal: { reason: 'notional_too_large' } });
    expect(other).toMatchObject({ type: 'done', report: { status: 'open' } });
    expect((await env.ORDER_BOOK.getByName(symbol).status()).owner).toBe(owner);
  });

  it('an amendment to a price that is none, or too high for the fees that the order was placed under', async () => {
    const { symbol, buyer } = await market({ market: { makerFeeBps: 1_000, takerFeeBps: 1_000 } });
    const { owner } = await env.ORDER_BOOK.getByName(symbol).status();
    const order = place(buyer, 'buy', 1, 1_00);
    await send(symbol, [order]);
    await setRules(symbol, { makerFeeBps: 0, takerFeeBps: 0 });
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    for (const price of [0, -1_00]) {
      expect(await submitOnce(symbol, [amend(buyer, order.orderId, { price, rulesVersion: 2 })])).toMatchObject([
        { type: 'refused', refusal: { reason: 'invalid_amendment', detail: 'not_positive' } },
      ]);
    }
    const tooHigh = amend(buyer, order.orderId, { price: 2_000_000_000_000_000, rulesVersion: 2 });
    expect(await submitOnce(symbol, [tooHigh])).toMatchObject([
      { type: 'refused', refusal: { reason: 'notional_too_large' } },
    ]);
    expect((await env.ORDER_BOOK.getByName(symbol).status()).owner).toBe(owner);
  });
});

describe('an order that trades more than its own limit says', () => {
  it('is charged exactly, however many units its fees pass through', async () => {
    await env.DB.prepare(
      `INSERT INTO assets (id, symbol, name, category, status, scale, created_at) VALUES ('usdx', 'USDX', 'usdx', 'crypto', 'APPROVED', 8, 0)`,
    ).run();
    const asset = { tracksLots: false, category: 'crypto', rail: 'digital' } as const;
    const { symbol, baseAsset } = await createPair(db, 'SWEPT', { asset });
    await env.DB.prepare(
      `UPDATE markets SET quote_asset = 'usdx', maker_fee_bps = 100, taker_fee_bps = 100 WHERE symbol = ?1`,
    )
      .bind(symbol)
      .run();
    const seller = (await createTrader(db)).accountId;
    await giveBalance({ accountId: seller, asset: baseAsset, amount: 1_200 });
    const bids = await Promise.all(
      [1, 2, 3].map(async () => {
        const { accountId } = await createTrader(db);
        await giveBalance({ accountId, asset: 'usdx', amount: 80_000_000_000_000 });
        return place(accountId, 'buy', 400, 1_000_00);
      }),
    );
    await send(symbol, bids);
    const notional = 1_200 * 1_000_00 * 1_000_000;
    expect(await submitOnce(symbol, [place(seller, 'sell', 1_200, 1)])).toMatchObject([
      { type: 'done', report: { status: 'filled', filledNotional: notional } },
    ]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await balanceOf(seller, 'usdx')).toEqual({ available: notional - notional / 100, held: 0 });
    await assertLedgerIsRight(db);
  });
});

describe('a holding in more lots than one cycle takes', () => {
  it('is sold in parts: an order over too many lots is refused and holds nothing, nor does an amendment that grows over them', async () => {
    const { symbol, asset } = await market();
    const owner = await createTrader(db);
    const lots = Array.from({ length: 2_100 }, () => ({ quantity: 2 }));
    await giveHolding({ accountId: owner.accountId, asset, lots });
    const tooMany = { type: 'refused', refusal: { reason: 'too_many_lots', lotsMax: 2_000 } };
    const whole = place(owner.accountId, 'sell', 4_200, 10_00);
    expect(await send(symbol, [whole])).toMatchObject([tooMany]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await orderRow(whole.orderId)).toMatchObject({ status: 'rejected', code: 'VALIDATION_ERROR', reserve: 0 });
    expect(await balanceOf(owner.accountId, asset)).toEqual({ available: 4_200, held: 0 });

    const small = place(owner.accountId, 'sell', 10, 10_00);
    expect(await send(symbol, [small])).toMatchObject([{ type: 'done' }]);
    expect(await send(symbol, [amend(owner.accountId, small.orderId, { quantity: 4_200 })])).toMatchObject([tooMany]);
    expect(await send(symbol, [place(owner.accountId, 'sell', 3_900, 10_00)])).toMatchObject([{ type: 'done' }]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await balanceOf(owner.accountId, asset)).toEqual({ available: 290, held: 3_910 });
    await assertLedgerIsRight(db);
  });
});

describe('a halted book', () => {
  it('journals nothing more, not even what falls due: a repair must find it as it stood', async () => {
    const { symbol, buyer } = await market();
    const stub = env.ORDER_BOOK.getByName(symbol);
    const expiresAt = Date.now() + HOUR_MS;
    await send(symbol, [place(buyer, 'buy', 1, 1_00, { timeInForce: 'GTD', expiresAt })]);
    await stub.settled();
    const { journaled } = await stub.status();
    await runInDurableObject(stub, (_, { storage }) => new Journal(storage).halt('for the test'));
    await evictDurableObject(stub);
    vi.spyOn(Date, 'now').mockReturnValue(expiresAt + 1);
    await runDurableObjectAlarm(stub);
    expect(await stub.status()).toMatchObject({ halted: 'for the test', journaled, liveOrders: 1 });
  });
});

describe('a book whose rules are behind', () => {
  it('takes no order under rules that it does not have, reads them again, and then goes by them', async () => {
    const { symbol, buyer, seller } = await market();
    await send(symbol, [place(seller, 'sell', 10, 10_00)]);
    await setRules(symbol, { bandBps: 100, referencePrice: 10_00 });
    const outside = () => place(buyer, 'buy', 1, 20_00, {}, { rulesVersion: 2 });
    expect(await submitOnce(symbol, [outside()])).toMatchObject([{ type: 'refused', refusal: { reason: 'stale' } }]);
    await vi.waitFor(async () => {
      expect(await submitOnce(symbol, [outside()])).toMatchObject([
        { type: 'refused', refusal: { reason: 'outside_price_band' } },
      ]);
    });
  });
});

describe('admission and recovery', () => {
  it('releases on recovery what the ledger admitted and the journal lacks, and never matches it late', async () => {
    const { symbol, buyer, seller, asset } = await market();
    await send(symbol, [place(seller, 'sell', 10, 10_00)]);
    faults.plan = plan([], { point: 'after_commit', times: 1 });
    const order = place(buyer, 'buy', 10, 10_00, {}, { clientOrderId: 'mine' });
    await expect(submitOnce(symbol, [order])).rejects.toThrow();
    const [retried] = await send(symbol, [order]);
    expect(retried).toEqual({ type: 'unavailable', orderId: order.orderId });
    expect(await orderRow(order.orderId)).toMatchObject({
      status: 'rejected',
      code: 'UNAVAILABLE',
      filled: 0,
      open: 0,
    });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
    expect(await balanceOf(seller, asset)).toEqual({ available: 90, held: 10 });
    await assertLedgerIsRight(db);
    const [anew] = await send(symbol, [place(buyer, 'buy', 1, 9_00, {}, { clientOrderId: 'mine' })]);
    expect(anew).toMatchObject({ type: 'done', report: { status: 'open' } });
  });

  it('keeps an acknowledged order through a kill: same book, same state hash', async () => {
    const { symbol, buyer, seller } = await market();
    const order = place(buyer, 'buy', 7, 9_00);
    expect((await send(symbol, [order]))[0]?.type).toBe('done');
    const before = await env.ORDER_BOOK.getByName(symbol).status();
    const hash = await env.ORDER_BOOK.getByName(symbol).stateHash();
    faults.plan = plan([], { point: 'before_commit', times: 1 });
    await expect(submitOnce(symbol, [place(seller, 'sell', 1, 11_00)])).rejects.toThrow();
    clearFaults();
    const after = await env.ORDER_BOOK.getByName(symbol).status();
    expect(after.owner).not.toBe(before.owner);
    expect(await env.ORDER_BOOK.getByName(symbol).stateHash()).toEqual(hash);
    expect(hash).toMatchObject({ stateHash: expect.stringMatching(/./) });
    expect((await env.ORDER_BOOK.getByName(symbol).depth(5)).bids).toEqual([[9_00, 7]]);
  });

  it('sends the same batch again when its answer is lost, and holds once', async () => {
    const { symbol, buyer } = await market();
    await env.ORDER_BOOK.getByName(symbol).status();
    faults.plan = plan(['answer_lost', 'answer_lost', 'request_lost']);
    const [result] = await send(symbol, [place(buyer, 'buy', 10, 9_00)]);
    expect(result).toMatchObject({ type: 'done', report: { status: 'open' } });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 910_00, held: 90_00 });
  });

  it('tells a refused order the same reason when the answer was lost', async () => {
    const { symbol, buyer } = await market();
    await env.ORDER_BOOK.getByName(symbol).status();
    faults.plan = plan(['answer_lost']);
    const order = place(buyer, 'buy', 1_000, 9_00);
    const [result] = await send(symbol, [order]);
    expect(result).toEqual({
      type: 'refused',
      orderId: order.orderId,
      refusal: { reason: 'insufficient_balance', asset: 'usd', required: 9_000_00, available: 1_000_00 },
    });
    expect(await orderRow(order.orderId)).toMatchObject({
      status: 'rejected',
      code: 'INSUFFICIENT_BALANCE',
      reserve: 0,
    });
  });

  it('settles a fill exactly once when the answers of its settlement are lost', async () => {
    const { symbol, buyer, seller, asset } = await market({ market: { makerFeeBps: 10, takerFeeBps: 30 } });
    await send(symbol, [place(seller, 'sell', 10, 10_00)]);
    faults.plan = plan(['through', 'answer_lost', 'answer_lost', 'answer_lost']);
    await send(symbol, [place(buyer, 'buy', 10, 10_00)]);
    clearFaults();
    expect(await env.ORDER_BOOK.getByName(symbol).settled()).toBe(true);
    expect(await balanceOf(buyer, asset)).toEqual({ available: 10, held: 0 });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00 - 100_00 - 30, held: 0 });
    expect(await balanceOf(seller, 'usd')).toEqual({ available: 100_00 - 10, held: 0 });
    await assertLedgerIsRight(db);
  });

  it('drains the outbox of a killed object from its alarm', async () => {
    const { symbol, buyer, seller, asset } = await market();
    await send(symbol, [place(seller, 'sell', 10, 10_00)]);
    faults.plan = plan([], { point: 'before_answer', times: 1 });
    await expect(submitOnce(symbol, [place(buyer, 'buy', 10, 10_00)])).rejects.toThrow();
    clearFaults();
    expect(await runDurableObjectAlarm(env.ORDER_BOOK.getByName(symbol))).toBe(true);
    expect(await balanceOf(buyer, asset)).toEqual({ available: 10, held: 0 });
    await assertLedgerIsRight(db);
  });

  it('fences a dead instance: its batch that lands late changes nothing', async () => {
    const { symbol, buyer } = await market();
    await env.ORDER_BOOK.getByName(symbol).status();
    let commits = 0;
    faults.plan = {
      ledger: () => (commits === 1 ? 'lands_late' : 'through'),
      kills: (point) => point === 'before_commit' && ++commits === 2,
    };
    const late = place(buyer, 'buy', 10, 9_00);
    await expect(submitOnce(symbol, [late])).rejects.toThrow();
    clearFaults();
    const next = place(buyer, 'buy', 100, 10_00);
    expect((await send(symbol, [next]))[0]?.type).toBe('done');
    await landLateCalls();
    expect(await orderRow(late.orderId)).toBeNull();
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 0, held: 1_000_00 });
    await assertLedgerIsRight(db);
  });

  it('that finds another instance to own its book stops at once: it sends nothing more and answers nobody', async () => {
    const { symbol, buyer } = await market();
    await send(symbol, [place(buyer, 'buy', 1, 9_00)]);
    expect(await env.ORDER_BOOK.getByName(symbol).settled()).toBe(true);
    const { owner: previousOwner } = await ask('ledger:0', (ledger) => ledger.fence(symbol));
    const another = { kind: 'own', book: symbol, owner: 'another', previousOwner } as const;
    expect(await ask('ledger:0', (ledger) => ledger.takeOwnership(another))).toMatchObject({ type: 'taken' });
    let batches = 0;
    faults.plan = {
      kills: () => false,
      // One that went on would find the wire gone, and give its callers up.
      ledger: () => (++batches === 1 ? 'through' : 'request_lost'),
    };
    const answer = await submitOnce(symbol, [place(buyer, 'buy', 1, 9_00)]).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    expect(answer).toMatch(/is owned by another/);
    expect(batches).toBe(1);
    clearFaults();
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 991_00, held: 9_00 });
    expect(await send(symbol, [place(buyer, 'buy', 1, 9_00)])).toMatchObject([{ report: { status: 'open' } }]);
    await assertLedgerIsRight(db);
  });

  it('answers a retry of the same id with what became of the first', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 10, 9_00);
    const [first, joined] = await send(symbol, [order, order]);
    const [again] = await send(symbol, [order]);
    expect(joined).toEqual(first);
    expect(again).toEqual(first);
    await send(symbol, [cancel(buyer, order.orderId)]);
    const [final] = await send(symbol, [order]);
    expect(final).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it('refuses orders while the ledger is out of reach, and nothing of them is left behind', async () => {
    const { symbol, buyer } = await market();
    const resting = place(buyer, 'buy', 1, 9_00);
    await send(symbol, [resting]);
    faults.plan = { ledger: () => 'request_lost', kills: () => false };
    const order = place(buyer, 'buy', 10, 9_00);
    expect((await send(symbol, [order]))[0]).toEqual({ type: 'unavailable', orderId: order.orderId });
    expect((await env.ORDER_BOOK.getByName(symbol).depth(5)).bids).toEqual([[9_00, 1]]);
    clearFaults();
    expect((await send(symbol, [place(buyer, 'buy', 1, 8_00)]))[0]?.type).toBe('done');
    expect(await env.ORDER_BOOK.getByName(symbol).settled()).toBe(true);
    expect(await orderRow(order.orderId)).toMatchObject({ status: 'rejected', code: 'UNAVAILABLE', filled: 0 });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 983_00, held: 17_00 });
    await assertLedgerIsRight(db);
  });
});

describe('reading while the ledger is out of reach', () => {
  it('a book that has just started shows what its journal has', async () => {
    const { symbol, buyer } = await market();
    await send(symbol, [place(buyer, 'buy', 3, 9_00)]);
    faults.plan = plan([], { point: 'before_commit', times: 1 });
    await expect(submitOnce(symbol, [place(buyer, 'buy', 1, 8_00)])).rejects.toThrow();
    faults.plan = { ledger: () => 'request_lost', kills: () => false };
    expect((await env.ORDER_BOOK.getByName(symbol).depth(5)).bids).toEqual([[9_00, 3]]);
  });
});

describe('what admission asserts', () => {
  it('refuses as stale an order that was checked under facts or rules that have changed since', async () => {
    const { symbol, buyer } = await market();
    const [facts] = await send(symbol, [place(buyer, 'buy', 1, 9_00, {}, { factsVersion: 7 })]);
    const [rules] = await send(symbol, [place(buyer, 'buy', 1, 9_00, {}, { rulesVersion: 7 })]);
    expect(facts).toMatchObject({ type: 'refused', refusal: { reason: 'stale' } });
    expect(rules).toMatchObject({ type: 'refused', refusal: { reason: 'stale' } });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it('refuses a frozen account', async () => {
    const { symbol, buyer } = await market();
    await setFacts(buyer, { frozen: true });
    const [result] = await send(symbol, [place(buyer, 'buy', 1, 9_00, {}, { factsVersion: 2 })]);
    expect(result).toMatchObject({ type: 'refused', refusal: { reason: 'account_frozen' } });
  });

  it('lets orders of one batch see each other: cash for one is not cash for two', async () => {
    const { symbol, buyer } = await market();
    const results = await send(
      symbol,
      [1, 2, 3].map(() => place(buyer, 'buy', 60, 9_00)),
    );
    expect(results.map((result) => result.type)).toEqual(['done', 'refused', 'refused']);
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 460_00, held: 540_00 });
  });

  it('lets one client_order_id of an account in once', async () => {
    const { symbol, buyer } = await market();
    const first = place(buyer, 'buy', 1, 9_00, {}, { clientOrderId: 'mine' });
    const second = place(buyer, 'buy', 1, 9_00, {}, { clientOrderId: 'mine' });
    const results = await send(symbol, [first, second]);
    expect(results[1]).toMatchObject({
      refusal: { reason: 'duplicate_client_order_id', existingOrderId: first.orderId },
    });
    expect(await orderRow(second.orderId)).toBeNull();
  });

  it('holds allowances and position limits like cash, consumes them by fills and gives the rest back', async () => {
    const { symbol, buyer, seller } = await market();
    const limits = ['allowance:reg_cf', `position:k:${symbol}`];
    for (const asset of limits) await giveAllowance(buyer, asset, 100);
    const held = { allowanceAsset: limits[0] ?? null, positionAsset: limits[1] ?? null };
    const [over] = await send(symbol, [place(buyer, 'buy', 6, 20, {}, held)]);
    expect(over).toMatchObject({ refusal: { reason: 'investment_limit_exceeded', required: 120, available: 100 } });
    const order = place(buyer, 'buy', 4, 20, {}, held);
    await send(symbol, [order, place(seller, 'sell', 3, 15)]);
    await send(symbol, [cancel(buyer, order.orderId)]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await balanceOf(buyer, limits[0] ?? '')).toEqual({ available: 40, held: 0 });
    expect(await balanceOf(buyer, limits[1] ?? '')).toEqual({ available: 97, held: 0 });
    await assertLedgerIsRight(db);
  });
});

describe('the order of commands', () => {
  it('keeps the commands of one account in their order, in one call and across calls', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 5, 9_00);
    const [placed, cancelled] = await send(symbol, [order, cancel(buyer, order.orderId)]);
    expect(placed).toMatchObject({ type: 'done', report: { status: 'open' } });
    expect(cancelled).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    const next = place(buyer, 'buy', 5, 9_00);
    const answers = await Promise.all([send(symbol, [next]), send(symbol, [cancel(buyer, next.orderId)])]);
    expect(answers[1][0]).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
  });

  it('a lone caller’s next order waits for no timer', async () => {
    const { symbol, buyer, seller } = await market();
    await submitOnce(symbol, [place(seller, 'sell', 5, 10_00)]);
    vi.stubGlobal('setTimeout', () => 0);
    try {
      for (const price of [9_00, 10_00, 9_00, 10_00]) {
        const [result] = await submitOnce(symbol, [place(buyer, 'buy', 1, price)]);
        expect(result?.type).toBe('done');
      }
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('cancels while the ledger is out of reach: a cancel needs no admission', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 5, 9_00);
    await send(symbol, [order]);
    faults.plan = { ledger: () => 'request_lost', kills: () => false };
    expect((await send(symbol, [cancel(buyer, order.orderId)]))[0]).toMatchObject({
      type: 'done',
      report: { status: 'cancelled' },
    });
    clearFaults();
    expect(await env.ORDER_BOOK.getByName(symbol).settled()).toBe(true);
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it("does not find another account's order", async () => {
    const { symbol, buyer, seller } = await market();
    const order = place(buyer, 'buy', 5, 9_00);
    await send(symbol, [order]);
    const [cancelled, amended] = await send(symbol, [
      cancel(seller, order.orderId),
      amend(seller, order.orderId, { quantity: 1 }),
    ]);
    expect(cancelled).toMatchObject({ refusal: { reason: 'order_not_found' } });
    expect(amended).toMatchObject({ refusal: { reason: 'order_not_found' } });
  });

  it('refuses to cancel or amend an order that is final', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 5, 9_00);
    await send(symbol, [order, cancel(buyer, order.orderId)]);
    const results = await send(symbol, [cancel(buyer, order.orderId), amend(buyer, order.orderId, { quantity: 1 })]);
    expect(results[0]).toMatchObject({ refusal: { reason: 'order_not_cancellable', status: 'cancelled' } });
    expect(results[1]).toMatchObject({ refusal: { reason: 'order_not_modifiable', status: 'cancelled' } });
  });
});

describe('amendments', () => {
  it('hold only their extra, and give it back when they are refused', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 50, 10_00);
    await send(symbol, [order]);
    const [more] = await send(symbol, [amend(buyer, order.orderId, { quantity: 80 })]);
    expect(more).toMatchObject({ type: 'done', report: { quantity: 80, remaining: 80 } });
    const [tooMuch] = await send(symbol, [amend(buyer, order.orderId, { quantity: 120 })]);
    expect(tooMuch).toMatchObject({ refusal: { reason: 'insufficient_balance', required: 400_00, available: 200_00 } });
    const [less] = await send(symbol, [amend(buyer, order.orderId, { quantity: 10, price: 9_00 })]);
    expect(less).toMatchObject({ type: 'done', report: { quantity: 10, price: 9_00 } });
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 910_00, held: 90_00 });
    expect(await orderRow(order.orderId)).toMatchObject({ quantity: 10, price: 9_00, reserve: 90_00 });
    await assertLedgerIsRight(db);
  });

  it('reserve further lots when a sell grows, and give the newest back when it shrinks', async () => {
    const { symbol, asset, seller } = await market();
    const order = place(seller, 'sell', 30, 10_00);
    await send(symbol, [order]);
    await send(symbol, [amend(seller, order.orderId, { quantity: 90 })]);
    await send(symbol, [amend(seller, order.orderId, { quantity: 20 })]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    await untilProjected();
    const { results } = await env.DB.prepare(
      'SELECT quantity, reserved FROM lots WHERE asset = ?1 ORDER BY acquired_at, id',
    )
      .bind(asset)
      .all();
    expect(results.map((lot) => lot.reserved)).toEqual([20, 0]);
    await assertLedgerIsRight(db);
  });

  it('of a partially filled order are refused where only unfilled orders may be modified', async () => {
    const { symbol, buyer, seller } = await market();
    const order = place(buyer, 'buy', 10, 10_00);
    await send(symbol, [order, place(seller, 'sell', 4, 10_00)]);
    const [refused] = await send(symbol, [amend(buyer, order.orderId, { quantity: 8, unfilledOnly: true })]);
    expect(refused).toMatchObject({ refusal: { reason: 'order_not_modifiable', status: 'partially_filled' } });
    const [reduced] = await send(symbol, [amend(buyer, order.orderId, { quantity: 8 })]);
    expect(reduced).toMatchObject({ type: 'done', report: { quantity: 8, filled: 4, remaining: 4 } });
  });
});

describe('lots and resale', () => {
  const YEAR = 365 * 86_400_000;

  it('a sell from restricted lots meets only a buyer whom the exemption allows, and the restriction goes with the shares', async () => {
    const { symbol, asset, buyer } = await market({ asset: { accreditationType: null, regulation: 'reg_cf' } });
    const holder = await createTrader(db);
    const restrictionEndsAt = Date.now() + YEAR;
    const lot = { quantity: 10, acquiredAt: Date.now() - YEAR, restrictionEndsAt, offeringType: 'reg_cf' };
    await giveHolding({ accountId: holder.accountId, asset, lots: [lot] });
    const accredited = await createTrader(db, { cash: 1_000_00 });
    const sell = place(holder.accountId, 'sell', 10, 10_00);
    const [restricted] = await send(symbol, [sell]);
    expect(restricted).toMatchObject({ type: 'done', report: { restricted: true } });
    const [anyone] = await send(symbol, [place(buyer, 'buy', 10, 10_00)]);
    expect(anyone).toMatchObject({ report: { filled: 0 } });
    const [qualified] = await send(symbol, [place(accredited.accountId, 'buy', 10, 10_00, {}, { attributes: 3 })]);
    expect(qualified).toMatchObject({ report: { filled: 10 } });
    await env.ORDER_BOOK.getByName(symbol).settled();
    await untilProjected();
    const bought = await env.DB.prepare(
      'SELECT quantity, restriction_ends_at, offering_type FROM lots WHERE account = ?1',
    )
      .bind(accredited.accountId)
      .first();
    expect(bought).toEqual({ quantity: 10, restriction_ends_at: restrictionEndsAt, offering_type: 'reg_cf' });
    await assertLedgerIsRight(db);
  });

  it('oldest lots are sold first', async () => {
    const { symbol, asset, buyer } = await market();
    const holder = await createTrader(db);
    const now = Date.now();
    await giveHolding({
      accountId: holder.accountId,
      asset,
      lots: [
        { quantity: 5, acquiredAt: now - 1_000 },
        { quantity: 5, acquiredAt: now - 9_000 },
      ],
    });
    await send(symbol, [place(holder.accountId, 'sell', 7, 10_00), place(buyer, 'buy', 7, 10_00)]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    await untilProjected();
    const { results } = await env.DB.prepare('SELECT quantity, acquired_at FROM lots WHERE account = ?1')
      .bind(holder.accountId)
      .all();
    expect(results).toEqual([{ quantity: 3, acquired_at: now - 1_000 }]);
  });
});

describe('the life of the book', () => {
  it('GTD: expires at a specified timestamp, from the alarm, and gives the hold back', async () => {
    const { symbol, buyer } = await market();
    const expiresAt = Date.now() + HOUR_MS;
    const order = place(buyer, 'buy', 5, 9_00, { timeInForce: 'GTD', expiresAt });
    expect((await send(symbol, [order]))[0]).toMatchObject({ report: { status: 'open' } });
    vi.spyOn(Date, 'now').mockReturnValue(expiresAt + 1);
    await runDurableObjectAlarm(env.ORDER_BOOK.getByName(symbol));
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await orderRow(order.orderId)).toMatchObject({ status: 'expired', open: 0, reserve: 0 });
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it('a halt cancels open orders and refuses new ones until it is lifted', async () => {
    const { symbol, buyer } = await market();
    const order = place(buyer, 'buy', 5, 9_00);
    await send(symbol, [order]);
    await setRules(symbol, { status: 'halted' });
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    const [refused] = await send(symbol, [place(buyer, 'buy', 5, 9_00, {}, { rulesVersion: 2 })]);
    expect(refused).toMatchObject({ refusal: { reason: 'market_not_open', status: 'halted' } });
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await orderRow(order.orderId)).toMatchObject({ status: 'cancelled', code: 'halt' });
    await setRules(symbol, { status: 'open' });
    await env.ORDER_BOOK.getByName(symbol).reconfigure();
    const [accepted] = await send(symbol, [place(buyer, 'buy', 5, 9_00, {}, { rulesVersion: 3 })]);
    expect(accepted).toMatchObject({ type: 'done' });
  });

  it('a halt reaches the orders in flight: what the ledger has admitted does not come to rest after it', async () => {
    const { symbol, buyer } = await market();
    await env.ORDER_BOOK.getByName(symbol).status();
    faults.plan = plan(['slow']);
    const order = place(buyer, 'buy', 5, 9_00);
    const placing = send(symbol, [order]);
    await setRules(symbol, { status: 'halted' });
    expect(await env.ORDER_BOOK.getByName(symbol).reconfigure()).toBe(true);
    await placing;
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect((await env.ORDER_BOOK.getByName(symbol).depth(5)).bids).toEqual([]);
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 1_000_00, held: 0 });
  });

  it('effects that the ledger cannot take halt the book with a reason, and skip nothing; it still cancels', async () => {
    const { symbol, buyer, seller, asset } = await market();
    const resting = place(buyer, 'buy', 1, 1_00);
    await send(symbol, [place(seller, 'sell', 5, 9_00), resting]);
    faults.spoils = paysTooMuch;
    await send(symbol, [place(buyer, 'buy', 5, 9_00)]);
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect((await env.ORDER_BOOK.getByName(symbol).status()).halted).toMatch(/is off by 1/);
    expect((await send(symbol, [place(buyer, 'buy', 1, 9_00)]))[0]?.type).toBe('unavailable');
    expect((await send(symbol, [cancel(buyer, resting.orderId)]))[0]).toMatchObject({
      type: 'done',
      report: { status: 'cancelled' },
    });
    expect(await balanceOf(buyer, asset)).toEqual({ available: 0, held: 0 });
    await untilProjected();
    const trades = await env.DB.prepare('SELECT count(*) AS n FROM trades WHERE book = ?1')
      .bind(symbol)
      .first<{ n: number }>();
    expect(trades?.n).toBe(0);
    await assertLedgerIsRight(db);
  });

  it('market orders never trade beyond their collar and give the rest of it back', async () => {
    const { symbol, buyer, seller } = await market({ market: { referencePrice: 10_00 } });
    await send(symbol, [place(seller, 'sell', 5, 10_40), place(seller, 'sell', 5, 10_60)]);
    const [bought] = await send(symbol, [place(buyer, 'buy', 10, null)]);
    expect(bought).toMatchObject({ report: { status: 'cancelled', filled: 5, filledNotional: 52_00 } });
    await env.ORDER_BOOK.getByName(symbol).settled();
    expect(await balanceOf(buyer, 'usd')).toEqual({ available: 948_00, held: 0 });
  });
});
