import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cursorAt } from '../../../containers/fix-gateway/application/account-state.ts';
import type { Exchange, ExchangeAnswer } from '../../../containers/fix-gateway/application/exchange.ts';
import { OrderNames } from '../../../containers/fix-gateway/application/order-names.ts';
import type { WireListedFill, WireOrder } from '../../../containers/fix-gateway/application/wire.ts';
import { SessionFile } from '../../../containers/fix-gateway/store/session-file.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import type { LedgerOrder } from '../../../durable-objects/order-book/admission/ledger-order.ts';
import { BookState, type CommandOutcome } from '../../../durable-objects/order-book/cycle/book-state.ts';
import { WireMarket } from '../../../durable-objects/order-book/feed/wire-market.ts';
import type { JournalCommand } from '../../../durable-objects/order-book/journal/journal-entry.ts';
import type { FillMessage, OrderMessage } from '../../../protocol/feeds/server-message.ts';

const MARKET: BookMarket = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};
/** More than any amendment of the test needs; what is left of it goes back. */
const HOLD = 1_000_000;
/** The exchange's clock is ahead: all of it is after its sessions have begun. */
const AHEAD_MS = 10_000;

export interface OrderTerms {
  readonly account: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: number;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK' | 'POST_ONLY';
  readonly prevention: 'cancel_newest' | 'cancel_oldest' | 'cancel_both' | 'decrement';
  readonly displayQuantity?: number;
  readonly clientOrderId?: string | null;
}

export type Told = FillMessage | OrderMessage;

/** A matching engine with the order-book profile in front: its lists, its answers, and the feed of each account. */
export class SimulatedExchange {
  readonly #wire = new WireMarket(MARKET);
  readonly #book = new BookState(MARKET);
  readonly #orders = new Map<string, WireOrder & { readonly account: string }>();
  readonly #fills: (WireListedFill & { readonly account: string })[] = [];
  /** Feeds of the account, each with what it has not told. */
  readonly feeds: Told[][] = [];
  /** Of the gateway in front. */
  readonly names = new OrderNames(new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'names.jsonl'), 0));
  readonly #account: string;
  #time = Date.now() + AHEAD_MS;
  #ids = 0;
  pageSize = 3;

  /** @param account whose the calls and feeds are */
  constructor(account: string) {
    this.#account = account;
  }

  /** Time goes on; within one millisecond there may be several cycles. */
  pass(time_ms: number): void {
    this.#time += time_ms;
  }

  ordersOf(account: string): WireOrder[] {
    return [...this.#orders.values()].filter((order) => order.account === account);
  }

  /** Fills of an order of the account, as they were made. */
  fillsOf(orderId: string): WireListedFill[] {
    return this.#fills.filter(({ account, order_id }) => account === this.#account && order_id === orderId);
  }

  place(terms: OrderTerms): WireOrder {
    const orderId = this.#id();
    const {
      account,
      side,
      quantity,
      price,
      timeInForce,
      prevention,
      displayQuantity = 0,
      clientOrderId = null,
    } = terms;
    const base = { order_id: orderId, client_order_id: clientOrderId, symbol: MARKET.symbol, side, type: 'limit' };
    this.#orders.set(orderId, {
      ...base,
      account,
      time_in_force: timeInForce,
      price: price / 100,
      stop_price: null,
      size: quantity,
      filled_size: 0,
      remaining_size: quantity,
      average_price: null,
      status: 'open',
      reason: null,
      expires_at: null,
      updated_at: this.#time,
    });
    this.run({
      type: 'place',
      order: {
        terms: {
          type: 'place',
          orderId,
          account,
          keyId: null,
          side,
          orderType: 'limit',
          timeInForce,
          quantity,
          price,
          stopPrice: 0,
          expiresAt: 0,
          selfTradePrevention: prevention,
          hidden: false,
          displayQuantity,
          attributes: 0,
          requires: 0,
        },
        price,
        makerFeeBps: 0,
        takerFeeBps: 0,
        allowanceAsset: null,
        positionAsset: null,
        restricted: false,
        lots: [],
      },
    });
    return this.order(orderId);
  }

  order(orderId: string): WireOrder {
    return this.#orders.get(orderId) as WireOrder;
  }

  amend(orderId: string, { quantity, price }: { quantity: number | null; price: number | null }): CommandOutcome {
    const { account, size, price: before, side } = this.#orders.get(orderId) as WireOrder & { account: string };
    const [outcome] = this.run({
      type: 'amend',
      amendmentId: this.#id(),
      amendment: {
        type: 'amend',
        orderId,
        quantity: quantity ?? size,
        price: price ?? Math.round((before ?? 0) * 100),
        unfilledOnly: false,
        requires: 0,
      },
      account,
      lots: [],
      abandoned: false,
      reserve: HOLD,
      reserveAsset: side === 'buy' ? MARKET.quoteAsset : MARKET.baseAsset,
      allowance: 0,
      allowanceAsset: null,
      position: 0,
      positionAsset: null,
    });
    return outcome as CommandOutcome;
  }

  cancel(orderId: string): CommandOutcome {
    const { account } = this.#orders.get(orderId) as { account: string };
    return this.run({ type: 'cancel', orderId, account })[0] as CommandOutcome;
  }

  cancelAll(account: string): string[] {
    const orderIds = this.#open(account).map(({ order_id }) => order_id);
    this.run({ type: 'mass_cancel', orderIds, reason: 'user' });
    return orderIds;
  }

  /** One cycle, and what its feed tells: own fills first, then each own order as the cycle has left it. */
  run(...commands: JournalCommand[]): CommandOutcome[] {
    const { chunks, outcomes, events, ended } = this.#book.run({ time: this.#time, batch: null, commands });
    const gone = new Map(ended.map((order) => [order.orderId, order]));
    const touched = new Set<string>(gone.keys());
    for (const event of events) {
      if (event.type === 'filled') touched.add(event.makerId).add(event.takerId);
      else if (event.type !== 'level' && event.type !== 'refused') touched.add(event.orderId);
    }
    for (const trade of chunks.flatMap(({ trades }) => trades))
      for (const side of ['buy', 'sell'] as const) {
        const fill = this.#wire.fill(trade, side);
        const account = side === 'buy' ? trade.buyer : trade.seller;
        const adjustment = { corrected_price: null, adjusted_at: null, adjustment_sequence: null };
        this.#fills.push({ ...fill, status: 'executed', ...adjustment, account });
        this.#say(account, fill);
      }
    for (const orderId of touched) {
      const order = gone.get(orderId) ?? this.#book.orders.get(orderId);
      if (order === undefined) continue;
      this.#stand(order);
      this.#say(order.account, this.#wire.order(order, this.#book.view.bookSequence));
    }
    return outcomes;
  }

  #stand(order: LedgerOrder): void {
    const { status, size, price, filled_size, remaining_size, reason, timestamp } = this.#wire.order(order, 0);
    const known = this.#orders.get(order.orderId) as WireOrder & { account: string };
    const standing = { status, size, price, filled_size, remaining_size, reason, updated_at: timestamp };
    this.#orders.set(order.orderId, { ...known, ...standing });
  }

  #say(account: string, message: Told): void {
    if (account === this.#account) for (const feed of this.feeds) feed.push(message);
  }

  #open(account: string): WireOrder[] {
    return this.ordersOf(account).filter(({ status }) => status === 'open' || status === 'partially_filled');
  }

  #id(): string {
    this.#ids += 1;
    return `${cursorAt(this.#time).slice(0, -6)}${String(this.#ids).padStart(6, '0')}`;
  }

  /** The account's calls. */
  get exchange(): Exchange {
    return {
      call: async (method, path, _caller, body) => this.#answer(method, new URL(path, 'http://exchange'), body),
      feedUrl: new URL('ws://127.0.0.1:1'),
      isHealthy: async () => true,
      close: async () => undefined,
    };
  }

  #answer(method: string, { pathname, searchParams }: URL, body: unknown): ExchangeAnswer {
    const ok = (answer: unknown, next: string | null = null): ExchangeAnswer => ({ type: 'ok', body: answer, next });
    const cursor = searchParams.get('cursor') ?? '';
    const orderId = pathname.split('/').at(-1) ?? '';
    if (pathname === '/v1/fills/adjusted') return ok({ fills: [] });
    if (pathname === '/v1/fills') {
      const wanted = searchParams.get('order_id');
      const fills = this.#fills
        .filter(({ account, trade_id }) => account === this.#account && trade_id > cursor)
        .filter(({ order_id }) => wanted === null || order_id === wanted)
        .sort((a, b) => (a.trade_id < b.trade_id ? -1 : 1));
      const page = fills.slice(0, this.pageSize);
      return ok({ fills: page }, fills.length > page.length ? (page.at(-1)?.trade_id ?? null) : null);
    }
    if (pathname === '/v1/orders/batch' && method === 'POST') return ok({ results: this.#placeAll(body) });
    if (pathname === '/v1/orders' && method === 'DELETE')
      return ok({ order_ids: this.cancelAll(this.#account), pending_order_ids: [] });
    if (pathname === '/v1/orders') {
      const named = searchParams.get('client_order_id');
      const isAll = searchParams.get('status') === 'all' || named !== null;
      const orders = (isAll ? this.ordersOf(this.#account) : this.#open(this.#account))
        .filter(
          ({ order_id, client_order_id }) =>
            (cursor === '' || order_id < cursor) && (named ?? client_order_id) === client_order_id,
        )
        .sort((a, b) => (a.order_id < b.order_id ? 1 : -1));
      const page = orders.slice(0, this.pageSize);
      return ok({ orders: page }, orders.length > page.length ? (page.at(-1)?.order_id ?? null) : null);
    }
    if (method === 'GET') return ok(this.order(orderId));
    const { size = null, price = null } = (body ?? {}) as { size?: number | null; price?: number | null };
    const scaled = { quantity: size, price: price === null ? null : Math.round(price * 100) };
    const outcome = method === 'DELETE' ? this.cancel(orderId) : this.amend(orderId, scaled);
    if (outcome.type === 'done') return ok(this.order(orderId));
    const code = method === 'DELETE' ? 'ORDER_NOT_CANCELLABLE' : 'ORDER_NOT_MODIFIABLE';
    return { type: 'refused', status: 400, code, message: 'it is final', details: {}, remaining: 1 };
  }

  #placeAll(body: unknown): unknown[] {
    return (body as { orders: Record<string, never>[] }).orders.map((asked) => {
      const order = this.place({
        account: this.#account,
        side: asked.side as unknown as 'buy' | 'sell',
        price: Math.round(Number(asked.price) * 100),
        quantity: Number(asked.size),
        timeInForce: (asked.time_in_force ?? 'GTC') as unknown as 'GTC',
        prevention: 'cancel_newest',
        clientOrderId: String(asked.client_order_id),
      });
      if (order.status !== 'rejected') return { order };
      return { error: { code: order.reason ?? '', message: 'rejected', details: { order_id: order.order_id } } };
    });
  }
}
