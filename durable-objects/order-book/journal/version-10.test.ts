import { describe, expect, it } from 'vitest';
import { chunkText } from '../../../domain/ledger/batch-text.ts';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { BookState } from '../cycle/book-state.ts';
import type { BandRules } from '../cycle/trading-band.ts';
import { BOOK_CODE, type EngineVersion, engineVersionOf } from './engine-version.ts';
import { effectsHash } from './journal-chain.ts';
import type { JournalCommand, JournalEntry } from './journal-entry.ts';

const MARKET: BookMarket = {
  symbol: 'COIN-USD',
  baseAsset: 'coin',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};
const MINUTE = 60_000;
const RULES: BandRules = { bandBps: 100, bandHaltSeconds: 30, referencePrice: 10_00, tickSize: 1 };
const TERMS = {
  type: 'place',
  keyId: null,
  orderType: 'limit',
  timeInForce: 'GTC',
  stopPrice: 0,
  expiresAt: 0,
  selfTradePrevention: 'cancel_newest',
  hidden: false,
  displayQuantity: 0,
  attributes: 0,
  requires: 0,
} as const;
const ADMITTED = {
  makerFeeBps: 0,
  takerFeeBps: 0,
  allowanceAsset: null,
  positionAsset: null,
  restricted: false,
  lots: [],
} as const;

let ids = 0;

function place(account: string, side: 'buy' | 'sell', quantity: number, price: number, stopPrice = 0): JournalCommand {
  ids += 1;
  const orderType = stopPrice === 0 ? 'limit' : 'stop_loss_limit';
  const terms = { ...TERMS, orderId: `order-${ids}`, account, side, quantity, price, stopPrice, orderType } as const;
  return { type: 'place', order: { ...ADMITTED, terms, price } };
}

/** Three accounts trade one unit each at this price. */
function agree(price: number): JournalCommand[] {
  const buys = ['ann', 'bob'].map((account) => place(account, 'buy', 1, price));
  return [place('cem', 'sell', 2, price), ...buys];
}

function changeTrigger(orderId: string, amendmentId: string, stopPrice: number): JournalCommand {
  const amendment = {
    type: 'amend',
    orderId,
    quantity: 3,
    price: 9_50,
    stopPrice,
    unfilledOnly: false,
    requires: 0,
  } as const;
  const held = {
    reserveAsset: 'usd',
    reserve: 0,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
  };
  return { type: 'amend', amendmentId, amendment, account: 'dan', lots: [], abandoned: false, ...held };
}

/** A band that moves, a price stated anew, a limit state under a widened band, its halt, a split, and a trigger that changes. */
function entries(): JournalEntry[] {
  ids = 0;
  const cycles: [at: number, commands: JournalCommand[]][] = [
    [0, [{ type: 'rules', rules: RULES }, ...agree(10_00), place('dan', 'sell', 3, 9_50, 9_60)]],
    [MINUTE, agree(10_10)],
    [MINUTE + 1_000, [{ type: 'rules', rules: { ...RULES, bandBps: 1_000 } }]],
    [MINUTE + 16_000, [place('eve', 'buy', 1, 9_00)]],
    [MINUTE + 50_000, [changeTrigger('order-4', 'amendment-1', 9_70)]],
    [3 * MINUTE, [{ type: 'rules', rules: { ...RULES, referencePrice: 11_00 } }, place('eve', 'buy', 1, 9_01)]],
    [4 * MINUTE, [place('eve', 'buy', 1, 9_02)]],
    [5 * MINUTE, [{ type: 'rules', rules: { ...RULES, referencePrice: 10_50, bandHaltSeconds: 0 } }]],
    [6 * MINUTE, agree(10_20)],
    [7 * MINUTE, [{ type: 'mass_cancel', orderIds: ['order-4', 'order-8', 'order-9', 'order-10'], reason: 'halt' }]],
    [8 * MINUTE, [{ type: 'split', id: 'split-1', from: 1, to: 2, tickSize: 1 }, place('eve', 'buy', 1, 5_00)]],
  ];
  return cycles.map(([at, commands], index) => ({ time: 1_700_000_000_000 + at, batch: index + 1, commands }));
}

function chunksOf(version: number, cuts: Partial<EngineVersion> = {}): SettlementChunk[] {
  const by = engineVersionOf(BOOK_CODE, version) ?? BOOK_CODE.current;
  const state = new BookState(MARKET, undefined, { ...by, ...cuts });
  return entries().flatMap((entry) => state.run(entry).chunks);
}

describe('the rows of a book from before statements held', () => {
  it('are replayed with the effects that version 10 gave them, to the byte', () => {
    const chunks = chunksOf(10);
    const told = chunks.map(({ bandReference }) => bandReference);
    expect(told).toEqual([undefined, 10_00, undefined, 10_10, 0, 10_98, 0, 10_48, 10_46, 5_10]);
    expect(chunks.filter(({ haltedUntil }) => haltedUntil !== undefined)).toHaveLength(1);
    expect(effectsHash(chunks.map(chunkText))).toBe('4471187aeeae5629');
  });

  it('would have others by version 11, in which a price that is stated holds and a widened band halts nobody', () => {
    const chunks = chunksOf(11);
    expect(chunks.map(({ bandReference }) => bandReference).filter((told) => told !== undefined)).toEqual([]);
    expect(chunks.flatMap(({ haltedUntil }) => haltedUntil ?? [])).toEqual([]);
    const told = chunks.flatMap(({ band }) => (band === undefined ? [] : [band.reference]));
    expect(told.at(-1)).toBe(5_10);
    expect(told).not.toContain(10_98);
  });
});

it.each([
  [10, false],
  [11, true],
])('by version %i the chunk that ends with an amended stop has its trigger: %s', (version, isThere) => {
  const chunks = chunksOf(version, { chunkOrdersMax: 1 });
  const [amended, next] = chunks.slice(chunks.findIndex(({ amendments }) => amendments.includes('amendment-1')));
  const trigger = [{ id: 'order-4', stopPrice: 9_70 }];
  expect(amended?.orders).toMatchObject([{ id: 'order-4' }]);
  expect([amended?.stopPrices, next?.stopPrices]).toEqual(isThere ? [trigger, undefined] : [undefined, trigger]);
});
