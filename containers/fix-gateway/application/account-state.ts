import { addDecimals } from '../codec/decimal.ts';
import type { CallerHeaders } from './exchange.ts';
import type { Reads } from './paced-reads.ts';
import type { Executed } from './tracked-order.ts';
import type { WireListedFill, WireOrder } from './wire.ts';

const UUID_TIME_DIGITS = 12;
/** Clocks of the gateway, of whoever makes an order's id, and of its book are no further apart. */
export const CLOCKS_APART_MS_MAX = 60_000;

type FillPages = AsyncGenerator<readonly WireListedFill[] | null>;

/** The lowest UUIDv7 of a millisecond: a cursor that begins with the trades of a time. */
export function cursorAt(time_ms: number): string {
  const time = Math.max(0, Math.floor(time_ms)).toString(16).padStart(UUID_TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** When an order was made, by its id. */
export function createdAtOf(orderId: string): number {
  return Number.parseInt(orderId.replace('-', '').slice(0, UUID_TIME_DIGITS), 16);
}

/** Every fill of the account behind a cursor, oldest first, a page at a time; null, and no more, when the exchange cannot be asked. */
export function fillsSince(exchange: Reads, caller: CallerHeaders, cursor: string): FillPages {
  return fillPages(exchange, caller, '/v1/fills', '', cursor);
}

/** Every fill of the account that was taken back or corrected behind a place, in the sequence in which that was done; null as above. */
export function adjustedFillsSince(exchange: Reads, caller: CallerHeaders, sequence: number): FillPages {
  return fillPages(exchange, caller, '/v1/fills/adjusted', '', String(sequence));
}

async function* fillPages(
  exchange: Reads,
  caller: CallerHeaders,
  path: string,
  filter: string,
  from: string,
): FillPages {
  for (let cursor: string | null = from; cursor !== null; ) {
    const answer = await exchange.call('GET', `${path}?${filter}cursor=${cursor}`, caller);
    yield answer.type === 'ok' ? (answer.body as { fills: WireListedFill[] }).fills : null;
    cursor = answer.type === 'ok' ? answer.next : null;
  }
}

/** Which fills of an order count, and up to which place what was taken back or corrected of them. */
interface CountTerms {
  counts(fill: WireListedFill): boolean;
  readonly adjustedTo: number;
  /** Fills behind this cursor may be told of again. */
  readonly fillsFrom: string;
}

interface CountedFills {
  readonly executed: Executed;
  /** Those that may be told of again. */
  readonly recent: readonly WireListedFill[];
}

/** What has been executed of an order, from its fills; null when the exchange cannot be asked. */
export async function countFills(
  exchange: Reads,
  caller: CallerHeaders,
  orderId: string,
  { counts, adjustedTo, fillsFrom }: CountTerms,
): Promise<CountedFills | null> {
  let [filled, takenBack, notional] = [0, 0, 0];
  const recent: WireListedFill[] = [];
  const from = cursorAt(createdAtOf(orderId) - CLOCKS_APART_MS_MAX);
  for await (const page of fillPages(exchange, caller, '/v1/fills', `order_id=${orderId}&`, from)) {
    if (page === null) return null;
    for (const fill of page.filter(counts)) {
      const { size, adjustment_sequence: adjusted } = fill;
      const stands = adjusted === null || adjusted > adjustedTo ? fill.price : fill.corrected_price;
      filled = addDecimals(filled, size);
      if (stands === null) takenBack = addDecimals(takenBack, size);
      else notional += stands * size;
      if (fill.trade_id > fillsFrom) recent.push(fill);
    }
  }
  return { executed: { filled, takenBack, notional }, recent };
}

/** Every order of the account that is not final, newest first; null when the exchange cannot be asked. */
export async function openOrders(exchange: Reads, caller: CallerHeaders): Promise<WireOrder[] | null> {
  const listing = new OrderListing('open', '');
  return (await listing.read(exchange, caller)) ? listing.orders : null;
}

/**
 * Orders of the account behind an id, as the exchange lists them: newest first, a page at a time. One that is interrupted goes on behind the last page
 * that it has read. With `all`, those that ended at once are there, too: an order that has ended without a fill is in no other list.
 */
export class OrderListing {
  readonly after: string;
  /** Newest first. */
  readonly orders: WireOrder[] = [];
  readonly #status: 'open' | 'all';
  #cursor: string | null = '';

  constructor(status: 'open' | 'all', after: string) {
    this.#status = status;
    this.after = after;
  }

  /** Reads what it has not read; false when the exchange cannot be asked. */
  async read(exchange: Reads, caller: CallerHeaders): Promise<boolean> {
    while (this.#cursor !== null) {
      const page = this.#cursor === '' ? '' : `&cursor=${this.#cursor}`;
      const answer = await exchange.call('GET', `/v1/orders?status=${this.#status}${page}`, caller);
      if (answer.type !== 'ok') return false;
      const found = (answer.body as { orders: WireOrder[] }).orders;
      for (const order of found) if (order.order_id > this.after) this.orders.push(order);
      this.#cursor = (found.at(-1)?.order_id ?? this.after) < this.after ? null : answer.next;
    }
    return true;
  }
}

/** An order as it stands; `none` where the caller has none of this id, null when the exchange cannot be asked. */
export async function readOrder(
  exchange: Reads,
  caller: CallerHeaders,
  orderId: string,
): Promise<WireOrder | 'none' | null> {
  const answer = await exchange.call('GET', `/v1/orders/${orderId}`, caller);
  if (answer.type === 'ok') return answer.body as WireOrder;
  return answer.type === 'refused' && answer.status === 404 ? 'none' : null;
}
