import { DuplicateOrderId, type Exchange, InvalidOrder, NetworkError, OrderNotFound } from 'ccxt';

interface MarketMakerTerms {
  readonly symbol: string;
  readonly amount: number;
  /** What a quote lies away from the middle, as a fraction: 0.005. */
  readonly spread: number;
  /** The middle where the book has none. */
  readonly reference: number;
  readonly rounds: number;
  /** Between two rounds. */
  readonly pauseMs: number;
  /**
   * The exchange cancels all orders of the key, and not the quotes alone, where the maker has not come by for so long: for a key that nobody else uses.
   * Off where it is left out.
   */
  readonly cancelAllAfterMs?: number;
  /** Told of each round once its quotes stand. */
  readonly afterQuotes?: () => unknown;
}

export interface MadeMarket {
  readonly rounds: number;
  readonly placed: number;
  /** Quotes that the exchange refused, or of which it gave no answer, by ccxt's class. */
  readonly refused: Readonly<Record<string, number>>;
  /** Base bought less base sold since the beginning. */
  readonly inventory: number;
}

/** A placement without an answer that the exchange does not know this long after is not on its way any more. */
const ON_ITS_WAY_MS = 60_000;
/** Tries to withdraw at the end, a second apart: longer than anything is on its way. */
const LAST_TRIES = 90;

/** Quotes that stand or may stand, by client order id, with the time of the placement that has no answer; null for one that has. */
type Quotes = Map<string, number | null>;

/**
 * A small market maker on ccxt's unified calls alone: each round it cancels its quotes and places a bid and an ask around the middle of what others
 * show, leaning against what it has bought or sold. It leaves none of its quotes behind, and other orders alone. It quotes again only once
 * each quote of before is known to have ended, one without an answer, too.
 *
 * @throws Error where the exchange does not say of every quote that it has ended: it names them
 */
export async function makeMarket(exchange: Exchange, terms: MarketMakerTerms): Promise<MadeMarket> {
  const { symbol, amount, spread, reference, rounds, pauseMs, cancelAllAfterMs } = terms;
  await exchange.loadMarkets();
  const { base } = exchange.market(symbol) ?? {};
  const owned = async () => Number((await exchange.fetchBalance())[base ?? '']?.total ?? 0);
  const before = await owned();
  const refused: Record<string, number> = {};
  let placed = 0;
  const quotes: Quotes = new Map();
  const quote = async (side: 'buy' | 'sell', price: number) => {
    const clientOrderId = exchange.uuid();
    quotes.set(clientOrderId, exchange.milliseconds());
    try {
      await exchange.createOrder(symbol, 'limit', side, amount, price, { postOnly: true, clientOrderId });
      quotes.set(clientOrderId, null);
      placed += 1;
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      refused[name] = (refused[name] ?? 0) + 1;
      // A try without an answer may have placed it, and so may the one before a try that is told of a duplicate.
      if (!(error instanceof NetworkError || error instanceof DuplicateOrderId)) quotes.delete(clientOrderId);
    }
  };
  try {
    for (let round = 0; round < rounds; round++) {
      if (cancelAllAfterMs !== undefined) await exchange.cancelAllOrdersAfter(cancelAllAfterMs);
      if (await withdraw(exchange, quotes, symbol)) {
        const { bids, asks } = await exchange.fetchOrderBook(symbol, 1);
        const [bid = reference, ask = reference] = [bids[0]?.[0], asks[0]?.[0]];
        const lean = ((await owned()) - before) / (amount * 100);
        const middle = ((bid + ask) / 2) * (1 - lean * spread);
        await quote('buy', middle * (1 - spread));
        await quote('sell', middle * (1 + spread));
      }
      await terms.afterQuotes?.();
      if (pauseMs > 0) await exchange.sleep(pauseMs);
    }
  } finally {
    await withdrawAll(exchange, quotes, symbol);
    if (cancelAllAfterMs !== undefined) await exchange.cancelAllOrdersAfter(0);
  }
  return { rounds, placed, refused, inventory: (await owned()) - before };
}

async function withdrawAll(exchange: Exchange, quotes: Quotes, symbol: string): Promise<void> {
  for (let attempt = 0; attempt < LAST_TRIES; attempt++) {
    if (await withdraw(exchange, quotes, symbol)) return;
    await exchange.sleep(1_000);
  }
  throw new Error(`these quotes may stand still: ${[...quotes.keys()].join(', ')}`);
}

/** Cancels each quote once; whether none is left. */
async function withdraw(exchange: Exchange, quotes: Quotes, symbol: string): Promise<boolean> {
  for (const [clientOrderId, unansweredSince] of [...quotes]) {
    try {
      await exchange.cancelOrder('', symbol, { clientOrderId });
      quotes.delete(clientOrderId);
    } catch (error) {
      if (hasEnded(error, unansweredSince, exchange.milliseconds())) quotes.delete(clientOrderId);
    }
  }
  return quotes.size === 0;
}

/** One that has filled meanwhile is gone already. One that is not found may still be on its way, where its placement has no answer. */
function hasEnded(error: unknown, unansweredSince: number | null, now: number): boolean {
  if (error instanceof OrderNotFound) return unansweredSince === null || now - unansweredSince > ON_ITS_WAY_MS;
  return error instanceof InvalidOrder && !(error instanceof DuplicateOrderId);
}
