import type { Exchange, Order } from 'ccxt';

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
  /** Told of each round once its quotes stand. */
  readonly afterQuotes?: () => unknown;
}

export interface MadeMarket {
  readonly rounds: number;
  readonly placed: number;
  /** Quotes that the exchange refused, by ccxt's class. */
  readonly refused: Readonly<Record<string, number>>;
  /** Base bought less base sold since the beginning. */
  readonly inventory: number;
}

/**
 * A small market maker on ccxt's unified calls alone: each round it cancels its quotes and places a bid and an ask around the middle of what others
 * show, leaning against what it has bought or sold. It leaves no order behind.
 */
export async function makeMarket(exchange: Exchange, terms: MarketMakerTerms): Promise<MadeMarket> {
  const { symbol, amount, spread, reference, rounds, pauseMs } = terms;
  await exchange.loadMarkets();
  const { base } = exchange.market(symbol) ?? {};
  const owned = async () => Number((await exchange.fetchBalance())[base ?? '']?.total ?? 0);
  const before = await owned();
  const refused: Record<string, number> = {};
  let placed = 0;
  let quotes: Order[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      await withdrawn(exchange, quotes, symbol);
      quotes = [];
      const { bids, asks } = await exchange.fetchOrderBook(symbol, 1);
      const [bid = reference, ask = reference] = [bids[0]?.[0], asks[0]?.[0]];
      const lean = ((await owned()) - before) / (amount * 100);
      const middle = ((bid + ask) / 2) * (1 - lean * spread);
      for (const [side, price] of [
        ['buy', middle * (1 - spread)],
        ['sell', middle * (1 + spread)],
      ] as const) {
        try {
          quotes.push(await exchange.createOrder(symbol, 'limit', side, amount, price, { postOnly: true }));
          placed += 1;
        } catch (error) {
          const name = error instanceof Error ? error.name : 'unknown';
          refused[name] = (refused[name] ?? 0) + 1;
        }
      }
      await terms.afterQuotes?.();
      if (pauseMs > 0) await exchange.sleep(pauseMs);
    }
  } finally {
    await exchange.cancelAllOrders(symbol);
  }
  return { rounds, placed, refused, inventory: (await owned()) - before };
}

/** One that has filled meanwhile is gone already. */
async function withdrawn(exchange: Exchange, quotes: readonly Order[], symbol: string): Promise<void> {
  if (quotes.length > 0)
    await exchange.cancelOrders(
      quotes.map(({ id }) => String(id)),
      symbol,
    );
}
