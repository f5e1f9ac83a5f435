import type {
  BrokerOrder,
  BrokerOrderPage,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerUnavailable,
} from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { remember } from '../remember.ts';
import { askPrime, type PrimeSettings, pageOf, refused } from './prime-http.ts';
import { bodyOf, isSameRequest, type PrimeOrder, productOf, readPrimeOrder } from './prime-order.ts';

/** Ended orders of one page, and pages that are looked through for one order. */
const PAGE_MAX = 1_000;
const PAGES_MAX = 10;
/** A request that was not answered may still arrive, or its order not be shown yet, for so long. */
const ARRIVAL_MS_MAX = 30_000;
/** Clocks differ: an order may stand there as a little older than its id. */
const CLOCKS_MS = 300_000;
const REMEMBERED_MAX = 10_000;

type Failure = BrokerRefusal | BrokerUnavailable;

/**
 * Orders of Coinbase Prime's REST API (docs/design/prime.md#coinbase-prime). An id of ours is unique there among open orders alone, so each order is looked
 * for before it is sent: what was sent before and has filled since would be placed again.
 */
export class PrimeOrders {
  readonly #settings: PrimeSettings;
  /** Coinbase's ids by the exchange's, and the other way round; null for orders of others. */
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string | null>();
  /** When an order was last submitted without an answer. */
  readonly #unanswered = new Map<string, number>();

  constructor(settings: PrimeSettings) {
    this.#settings = settings;
  }

  async submit(terms: BrokerOrderTerms): Promise<Result<BrokerOrder, Failure>> {
    const { symbol, clientOrderId } = terms;
    const body = bodyOf(terms);
    if (body === null) return err({ reason: 'refused', code: 'invalid_order', detail: 'limit orders alone' });
    const found = await this.find(symbol, clientOrderId);
    if (!found.ok) return found;
    if (found.value !== null) return answered(found.value, terms);
    if (this.#mayArrive(clientOrderId)) return unavailable('an earlier request may still arrive');
    const answer = await askPrime(this.#settings, '/order', { method: 'POST', body });
    const { order_id: id } = (answer.ok && recordOf(answer.value.body)) || {};
    if (answer.ok && answer.value.status === 200 && typeof id === 'string') {
      this.#know(clientOrderId, id);
      return ok({ ...terms, status: 'open', filled: '0', revision: 0 });
    }
    const isRefused = answer.ok && answer.value.status >= 400;
    if (!isRefused) {
      remember(this.#unanswered, clientOrderId, Date.now(), REMEMBERED_MAX);
      return answer.ok ? unavailable(`status ${answer.value.status}`) : answer;
    }
    // An id that is taken is refused, too: by which order, that one says.
    const taken = await this.find(symbol, clientOrderId);
    if (!taken.ok) return taken;
    return taken.value === null ? refused('invalid_order', answer.value) : answered(taken.value, terms);
  }

  async cancel(symbol: string, clientOrderId: string): Promise<Result<null, Failure>> {
    const found = await this.find(symbol, clientOrderId);
    if (!found.ok) return found;
    if (found.value === null) return err({ reason: 'refused', code: 'unknown_order', detail: '' });
    if (found.value.order.status !== 'open') return err({ reason: 'refused', code: 'order_ended', detail: '' });
    const answer = await askPrime(this.#settings, `/orders/${found.value.id}/cancel`, { method: 'POST' });
    if (!answer.ok) return answer;
    if (answer.value.status === 200) return ok(null);
    return refused(answer.value.status === 404 ? 'unknown_order' : 'order_ended', answer.value);
  }

  async order(symbol: string, clientOrderId: string): Promise<Result<BrokerOrder | null, BrokerUnavailable>> {
    const found = await this.find(symbol, clientOrderId);
    return found.ok ? ok(found.value?.order ?? null) : found;
  }

  async openOrders(symbol: string): Promise<Result<BrokerOrderPage, BrokerUnavailable>> {
    const open = await this.#open(symbol);
    if (!open.ok) return open;
    const orders = open.value.flatMap((row) => this.#noted(readPrimeOrder(row))?.order ?? []);
    return ok({ orders, next: null });
  }

  /** The order under an id of the exchange's. Open ones first: what ends meanwhile was found there. */
  async find(symbol: string, clientOrderId: string): Promise<Result<PrimeOrder | null, BrokerUnavailable>> {
    const id = this.#ids.get(clientOrderId);
    if (id !== undefined) {
      const known = await this.#byId(id);
      return known.ok && known.value === null ? unavailable('an order that is not shown') : known;
    }
    const open = await this.#open(symbol);
    if (!open.ok) return open;
    return this.#among(open.value, clientOrderId) ?? this.#ended(symbol, clientOrderId);
  }

  /** One that is there and cannot be read is none that could be sent again. Null where it is not among these. */
  #among(rows: readonly unknown[], clientOrderId: string): Result<PrimeOrder, BrokerUnavailable> | null {
    const row = rows.find((each) => recordOf(each)?.client_order_id === clientOrderId);
    if (row === undefined) return null;
    const order = this.#noted(readPrimeOrder(row));
    return order === null ? unavailable('an order that cannot be read') : ok(order);
  }

  /** The exchange's id of an order there; null for one of others. */
  async nameOf(id: string): Promise<Result<string | null, BrokerUnavailable>> {
    const known = this.#names.get(id);
    if (known !== undefined) return ok(known);
    const found = await this.#byId(id);
    if (!found.ok) return found;
    const name = found.value?.order.clientOrderId ?? null;
    remember(this.#names, id, name, REMEMBERED_MAX);
    return ok(name);
  }

  async #byId(id: string): Promise<Result<PrimeOrder | null, BrokerUnavailable>> {
    const answer = await askPrime(this.#settings, `/orders/${encodeURIComponent(id)}`);
    if (!answer.ok) return answer;
    const { status, body } = answer.value;
    if (status === 404) return ok(null);
    const { order } = recordOf(body) ?? {};
    if (status !== 200 || recordOf(order) === null)
      return unavailable(`an order that cannot be read, status ${status}`);
    return ok(this.#noted(readPrimeOrder(order)));
  }

  async #open(symbol: string): Promise<Result<readonly unknown[], BrokerUnavailable>> {
    const answer = await askPrime(this.#settings, '/open_orders', { query: { product_ids: productOf(symbol) } });
    const page = answer.ok ? pageOf(answer.value, 'orders') : answer;
    return page.ok ? ok(page.value.rows) : page;
  }

  async #ended(symbol: string, clientOrderId: string): Promise<Result<PrimeOrder | null, BrokerUnavailable>> {
    const madeAt_ms = timeOfId(clientOrderId);
    const query: Record<string, string> = {
      product_ids: productOf(symbol),
      sort_direction: 'ASC',
      limit: String(PAGE_MAX),
      ...(madeAt_ms === null ? {} : { start_date: new Date(madeAt_ms - CLOCKS_MS).toISOString() }),
    };
    for (let page = 0; page < PAGES_MAX; page++) {
      const answer = await askPrime(this.#settings, '/orders', { query });
      const read = answer.ok ? pageOf(answer.value, 'orders') : answer;
      if (!read.ok) return read;
      const found = this.#among(read.value.rows, clientOrderId);
      if (found !== null) return found;
      if (read.value.next === null) return ok(null);
      query.cursor = read.value.next;
    }
    return unavailable('an order on too many pages');
  }

  #noted(order: PrimeOrder | null): PrimeOrder | null {
    if (order !== null) this.#know(order.order.clientOrderId, order.id);
    return order;
  }

  #know(clientOrderId: string, id: string): void {
    remember(this.#ids, clientOrderId, id, REMEMBERED_MAX);
    remember(this.#names, id, clientOrderId, REMEMBERED_MAX);
    this.#unanswered.delete(clientOrderId);
  }

  #mayArrive(clientOrderId: string): boolean {
    const sentAt_ms = this.#unanswered.get(clientOrderId);
    return sentAt_ms !== undefined && Date.now() < sentAt_ms + ARRIVAL_MS_MAX;
  }
}

function answered({ order }: PrimeOrder, terms: BrokerOrderTerms): Result<BrokerOrder, Failure> {
  if (isSameRequest(order, terms)) return ok(order);
  return err({ reason: 'refused', code: 'conflict', detail: 'another order has this id' });
}

/** When an id of the exchange's was made, which is a UUIDv7 (RFC 9562); null of any other. */
function timeOfId(clientOrderId: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(clientOrderId) ?? [];
  return high === undefined || low === undefined ? null : Number.parseInt(high + low, 16);
}
