import {
  type BrokerEventPage,
  type BrokerExecution,
  type BrokerOrderDone,
  type BrokerRefusal,
  type BrokerUnavailable,
  WATCHED_MAX,
} from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf, unavailable } from '../ask-http.ts';
import { plainDecimal, timeOf } from '../read-values.ts';
import { remember } from '../remember.ts';
import { nextCursor, type ReadingCursor, readCursor, ToldExecutions } from '../told-executions.ts';
import { type AlpacaSettings, askAlpaca } from './alpaca-http.ts';
import { orderOfChain } from './alpaca-order.ts';
import type { AlpacaOrders } from './alpaca-orders.ts';

/** Activities of one answer; Alpaca's bound. */
const PAGE_MAX = 100;
/** Orders whose names are remembered. */
const NAMES_MAX = 10_000;

/**
 * What happened to orders, without a socket (docs/design/broker.md#alpaca-events): executions are read from the account's activities, and of
 * orders that are watched and no longer open it is read how they ended.
 */
export class AlpacaEvents {
  readonly #settings: AlpacaSettings;
  readonly #orders: AlpacaOrders;
  /** The exchange's ids by Alpaca's; null for orders of others. */
  readonly #names = new Map<string, string | null>();
  readonly #told = new ToldExecutions();

  constructor(settings: AlpacaSettings, orders: AlpacaOrders) {
    this.#settings = settings;
    this.#orders = orders;
  }

  async read(
    symbol: string,
    after: string | null,
    watched: readonly string[],
  ): Promise<Result<BrokerEventPage, BrokerRefusal | BrokerUnavailable>> {
    const cursor = readCursor(after);
    if (cursor === null) return err({ reason: 'refused', code: 'unknown_cursor', detail: 'the cursor cannot be read' });
    const page = await this.#untold(symbol, cursor);
    if (!page.ok) return page;
    // Endings wait until no execution does: an order's end is told after what came before it.
    const ended = page.value.more ? ok([]) : await this.#endings(symbol, watched.slice(0, WATCHED_MAX));
    if (!ended.ok) return ended;
    return ok({ ...page.value, events: [...page.value.events, ...ended.value] });
  }

  /** Executions that the holder of the cursor has not been told: where that is not remembered, all that are read again. */
  async #untold(symbol: string, cursor: ReadingCursor): Promise<Result<BrokerEventPage, BrokerUnavailable>> {
    const read = await this.#executions(symbol, cursor);
    if (!read.ok) return read;
    const { executions, activities, more } = read.value;
    const { id, transaction_time } = recordOf(activities.at(-1)) ?? {};
    const next = nextCursor(cursor, transaction_time, more && typeof id === 'string' ? id : null);
    return ok(this.#told.page(symbol, cursor, executions, next));
  }

  async #executions(
    symbol: string,
    cursor: ReadingCursor,
  ): Promise<
    Result<{ executions: BrokerExecution[]; activities: readonly unknown[]; more: boolean }, BrokerUnavailable>
  > {
    const answer = await askAlpaca(`${this.#settings.baseUrl}/v2/account/activities/FILL`, this.#settings, {
      query: {
        direction: 'asc',
        page_size: String(PAGE_MAX),
        ...(cursor.after === '' ? {} : { after: cursor.after }),
        ...(cursor.pageToken === '' ? {} : { page_token: cursor.pageToken }),
      },
    });
    if (!answer.ok) return answer;
    const { status, body } = answer.value;
    if (status !== 200 || !Array.isArray(body)) return unavailable(`status ${status}`);
    const executions: BrokerExecution[] = [];
    for (const activity of body) {
      const execution = readExecution(activity);
      if (execution === null || execution.symbol !== symbol) continue;
      const name = await this.#nameOf(execution.orderId);
      if (!name.ok) return name;
      const { orderId: _, ...told } = execution;
      if (name.value !== null) executions.push({ ...told, clientOrderId: name.value });
    }
    return ok({ executions, activities: body, more: body.length >= PAGE_MAX });
  }

  /** How watched orders have ended that are not among the open ones. */
  async #endings(symbol: string, watched: readonly string[]): Promise<Result<BrokerOrderDone[], BrokerUnavailable>> {
    if (watched.length === 0) return ok([]);
    const open = new Set<string>();
    let page: string | null = null;
    do {
      const read: Awaited<ReturnType<AlpacaOrders['openOrders']>> = await this.#orders.openOrders(symbol, page);
      if (!read.ok) return read;
      for (const { clientOrderId } of read.value.orders) open.add(clientOrderId);
      page = read.value.next;
    } while (page !== null);
    const events: BrokerOrderDone[] = [];
    for (const clientOrderId of watched) {
      if (open.has(clientOrderId)) continue;
      const chain = await this.#orders.chain(clientOrderId);
      if (!chain.ok) return chain;
      const order = orderOfChain(chain.value);
      const last = chain.value.at(-1);
      if (order === null || last === undefined || order.status === 'open' || order.status === 'filled') continue;
      events.push({
        type: 'done',
        id: `done:${last.id}`,
        symbol,
        clientOrderId,
        at_ms: last.endedAt_ms ?? 0,
        reason: order.status,
        filled: order.filled,
        detail: null,
      });
    }
    return ok(events);
  }

  async #nameOf(orderId: string): Promise<Result<string | null, BrokerUnavailable>> {
    const known = this.#names.get(orderId);
    if (known !== undefined) return ok(known);
    const found = await this.#orders.byId(orderId);
    if (!found.ok) return found;
    const name = found.value?.clientOrderId ?? null;
    remember(this.#names, orderId, name, NAMES_MAX);
    return ok(name);
  }
}

type NamelessExecution = Omit<BrokerExecution, 'clientOrderId'> & { readonly orderId: string };

function readExecution(activity: unknown): NamelessExecution | null {
  const { id, symbol, order_id, price, qty, type, transaction_time } = recordOf(activity) ?? {};
  const at_ms = timeOf(transaction_time);
  const told = { price: plainDecimal(price), quantity: plainDecimal(qty) };
  if (typeof id !== 'string' || typeof symbol !== 'string' || typeof order_id !== 'string' || at_ms === null)
    return null;
  if (told.price === null || told.quantity === null || (type !== 'fill' && type !== 'partial_fill')) return null;
  const { price: at, quantity } = told;
  return { type, id, executionId: id, orderId: order_id, symbol, at_ms, venue: null, price: at, quantity };
}
