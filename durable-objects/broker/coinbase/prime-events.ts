import {
  type BrokerEventPage,
  type BrokerExecution,
  type BrokerOrderDone,
  type BrokerRefusal,
  type BrokerUnavailable,
  WATCHED_MAX,
} from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { recordOf } from '../ask-http.ts';
import { plainDecimal, timeOf } from '../read-values.ts';
import { nextCursor, type ReadingCursor, readCursor, ToldExecutions } from '../told-executions.ts';
import { askPrime, type PrimeSettings, pageOf, refused } from './prime-http.ts';
import { symbolOf } from './prime-order.ts';
import type { PrimeOrders } from './prime-orders.ts';

const PAGE_MAX = 100;
/** Before the first order: where reading begins, which the API wants to be told. */
const FIRST = '2020-01-01T00:00:00.000Z';

type Failure = BrokerRefusal | BrokerUnavailable;

/** What happened to orders, for who asks: fills of the portfolio, and how watched orders ended that are no longer open. */
export class PrimeEvents {
  readonly #settings: PrimeSettings;
  readonly #orders: PrimeOrders;
  readonly #told = new ToldExecutions();

  constructor(settings: PrimeSettings, orders: PrimeOrders) {
    this.#settings = settings;
    this.#orders = orders;
  }

  async read(
    symbol: string,
    after: string | null,
    watched: readonly string[],
  ): Promise<Result<BrokerEventPage, Failure>> {
    const cursor = readCursor(after);
    if (cursor === null) return err({ reason: 'refused', code: 'unknown_cursor', detail: 'the cursor cannot be read' });
    const page = await this.#executions(symbol, cursor);
    if (!page.ok) return page;
    // An order's end is told after what came before it.
    const ended = page.value.more ? ok([]) : await this.#endings(symbol, watched.slice(0, WATCHED_MAX));
    if (!ended.ok) return ended;
    return ok({ ...page.value, events: [...page.value.events, ...ended.value] });
  }

  async #executions(symbol: string, cursor: ReadingCursor): Promise<Result<BrokerEventPage, Failure>> {
    const answer = await askPrime(this.#settings, '/fills', {
      query: {
        start_date: cursor.after === '' ? FIRST : cursor.after,
        sort_direction: 'ASC',
        limit: String(PAGE_MAX),
        ...(cursor.pageToken === '' ? {} : { cursor: cursor.pageToken }),
      },
    });
    if (!answer.ok) return answer;
    // A page that is known no more is looked for from the beginning.
    if (answer.value.status === 400 && cursor.pageToken !== '') return refused('unknown_cursor', answer.value);
    const page = pageOf(answer.value, 'fills');
    if (!page.ok) return page;
    const executions: BrokerExecution[] = [];
    for (const row of page.value.rows) {
      const fill = readFill(row);
      if (fill === null || fill.symbol !== symbol) continue;
      const { orderId, ...told } = fill;
      const name = await this.#orders.nameOf(orderId);
      if (!name.ok) return name;
      if (name.value !== null) executions.push({ ...told, clientOrderId: name.value });
    }
    const { time } = recordOf(page.value.rows.at(-1)) ?? {};
    return ok(this.#told.page(symbol, cursor, executions, nextCursor(cursor, time, page.value.next)));
  }

  async #endings(symbol: string, watched: readonly string[]): Promise<Result<BrokerOrderDone[], BrokerUnavailable>> {
    if (watched.length === 0) return ok([]);
    const open = await this.#orders.openOrders(symbol);
    if (!open.ok) return open;
    const isOpen = new Set(open.value.orders.map(({ clientOrderId }) => clientOrderId));
    const events: BrokerOrderDone[] = [];
    for (const clientOrderId of watched) {
      if (isOpen.has(clientOrderId)) continue;
      const found = await this.#orders.find(symbol, clientOrderId);
      if (!found.ok) return found;
      const { id, order } = found.value ?? {};
      if (order === undefined || order.status === 'open' || order.status === 'filled') continue;
      const of = { id: `done:${id}`, symbol, clientOrderId, at_ms: Date.now(), detail: null };
      events.push({ ...of, type: 'done', reason: order.status, filled: order.filled });
    }
    return ok(events);
  }
}

type NamelessExecution = Omit<BrokerExecution, 'clientOrderId'> & { readonly orderId: string };

/** Which of them fills its order whole the fill does not say; the book counts. */
function readFill(row: unknown): NamelessExecution | null {
  const { id, order_id: orderId, product_id, side, venue, ...rest } = recordOf(row) ?? {};
  const symbol = symbolOf(product_id);
  const at_ms = timeOf(rest.time);
  const [price, quantity] = [plainDecimal(rest.price), plainDecimal(rest.filled_quantity)];
  if (typeof id !== 'string' || typeof orderId !== 'string' || symbol === null || at_ms === null) return null;
  if (price === null || quantity === null || (side !== 'BUY' && side !== 'SELL')) return null;
  return {
    type: 'partial_fill',
    id,
    executionId: id,
    orderId,
    symbol,
    at_ms,
    venue: typeof venue === 'string' && venue !== '' ? venue : null,
    side: side === 'BUY' ? 'buy' : 'sell',
    price,
    quantity,
  };
}
