import { createHash } from 'node:crypto';
import { isOwnId } from '../../../domain/identity/own-id.ts';
import type { FixMessage } from '../codec/fix-message.ts';
import { textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import type { CallerHeaders, Exchange, ExchangeAnswer } from './exchange.ts';
import { type OrderRequest, orderRequestOf } from './order-request.ts';
import { ordRejReason } from './reject-reasons.ts';
import { limitedFor_s } from './repeat.ts';
import type { WireError, WireOrder } from './wire.ts';

/** Orders of one request to the exchange. */
export const BATCH_MAX = 100;
/** Of a search by ClOrdID. One looks through two million orders. */
const PAGES_MAX = 5;

/** A NewOrderSingle to be placed. `repeated`: an earlier attempt may have placed it. */
export interface Placement {
  readonly sequence: number;
  readonly message: FixMessage;
  readonly repeated: boolean;
  /** When it was taken. */
  readonly since_ms: number;
}

export type PlacementOutcome =
  | { readonly type: 'placed'; readonly order: WireOrder }
  | { readonly type: 'rejected'; readonly orderId: string | null; readonly reason: string; readonly text: string }
  /** Nobody knows; to be tried again, as `repeated`. */
  | { readonly type: 'unknown' };

const KEY_TAGS = [TAG.SenderCompID, TAG.SendingTime] as const;

const UNKNOWN: PlacementOutcome = { type: 'unknown' };

/**
 * Places orders in one batch. A repeated one is placed at most once: the same batch has the same Idempotency-Key, and in another batch its
 * ClOrdID is its client_order_id, which the exchange takes once per account: what is there already is then the answer.
 */
export async function placeOrders(
  exchange: Exchange,
  caller: CallerHeaders,
  placements: readonly Placement[],
): Promise<PlacementOutcome[]> {
  const outcomes: PlacementOutcome[] = new Array(placements.length).fill(UNKNOWN);
  const asked: { readonly at: number; readonly request: OrderRequest; readonly repeated: boolean }[] = [];
  for (const [at, { message, repeated }] of placements.entries()) {
    const read = orderRequestOf(message);
    if (read.ok) asked.push({ at, request: read.value, repeated });
    else outcomes[at] = { type: 'rejected', orderId: null, ...read.error };
  }
  if (asked.length === 0) return outcomes;
  const orders = asked.map(({ request }) => request);
  const messages = asked.map(({ at }) => (placements[at] as Placement).message);
  const once = { ...caller, 'idempotency-key': keyOf(messages, orders) };
  const answer = await exchange.call('POST', '/v1/orders/batch', once, { orders });
  if (answer.type === 'unknown') return outcomes;
  // An earlier attempt at this batch is still under way.
  if (answer.type === 'refused' && answer.code === 'CONFLICT') return outcomes;
  if (answer.type === 'refused') {
    // A malformed order refuses the batch, a limit what goes beyond it: the others get what they would get alone.
    const alone = { 429: Math.min(answer.remaining, asked.length), 400: asked.length }[answer.status] ?? 0;
    if (asked.length === 1 || alone === 0) {
      for (const { at } of asked) outcomes[at] = rejectedBy(answer, null);
      return outcomes;
    }
    const parts = answer.status === 429 ? [asked.slice(0, alone), asked.slice(alone)] : asked.map((one) => [one]);
    for (const part of parts) {
      const placed = await placeOrders(
        exchange,
        caller,
        part.map(({ at }) => placements[at] as Placement),
      );
      for (const [index, { at }] of part.entries()) outcomes[at] = placed[index] ?? UNKNOWN;
    }
    return outcomes;
  }
  const { results } = answer.body as { results: ({ order: WireOrder } | { error: WireError })[] };
  for (const [index, { at, repeated, request }] of asked.entries()) {
    const result = results[index];
    if (result === undefined) continue;
    if ('order' in result) outcomes[at] = { type: 'placed', order: result.order };
    else if (result.error.code === 'SERVICE_UNAVAILABLE') continue;
    else if (repeated && result.error.code === 'CONFLICT')
      outcomes[at] = await findPlaced(exchange, caller, request.client_order_id);
    else outcomes[at] = rejectedBy(result.error, result.error.details.order_id);
  }
  return outcomes;
}

/** The order that carries a ClOrdID; `unknown` when there is none, or it cannot be asked for. */
export async function findPlaced(
  exchange: Exchange,
  caller: CallerHeaders,
  clOrdId: string,
): Promise<PlacementOutcome> {
  const found = await findOrder(exchange, caller, clOrdId);
  if (found === null || isUnanswered(found)) return UNKNOWN;
  if (found.status !== 'rejected') return { type: 'placed', order: found };
  const code = found.reason ?? '';
  return { type: 'rejected', orderId: found.order_id, reason: ordRejReason(code), text: code };
}

/** Why nobody knows whether there is an order, for the Text of an answer that says so. */
export interface Unanswered {
  readonly unanswered: string;
}

export function isUnanswered(found: object | null): found is Unanswered {
  return found !== null && 'unanswered' in found;
}

/** The account's order with a client_order_id; null when there is none. */
export async function findOrder(
  exchange: Pick<Exchange, 'call'>,
  caller: CallerHeaders,
  clOrdId: string,
): Promise<WireOrder | null | Unanswered> {
  const path = `/v1/orders?client_order_id=${encodeURIComponent(clOrdId)}`;
  let cursor = '';
  // A page of the search may be empty and yet lead on.
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const answer = await exchange.call('GET', path + cursor, caller);
    // No order can be called that.
    if (answer.type === 'refused' && answer.status === 400) return null;
    if (answer.type !== 'ok') return { unanswered: whyUnanswered(answer) };
    const [found] = (answer.body as { orders: WireOrder[] }).orders;
    if (found !== undefined || answer.next === null) return found ?? null;
    cursor = `&cursor=${answer.next}`;
  }
  return null;
}

/** An order of the account by its OrderID; null where it has none that is called so. */
export async function readOrder(
  exchange: Pick<Exchange, 'call'>,
  caller: CallerHeaders,
  orderId: string,
): Promise<WireOrder | null | Unanswered> {
  if (!isOwnId(orderId)) return null;
  const answer = await exchange.call('GET', `/v1/orders/${orderId}`, caller);
  if (answer.type === 'refused' && answer.status === 404) return null;
  return answer.type === 'ok' ? (answer.body as WireOrder) : { unanswered: whyUnanswered(answer) };
}

/** @example whyUnanswered(limited) // 'RATE_LIMIT_EXCEEDED: too many requests: ask again in 12 s' */
export function whyUnanswered(answer: Exclude<ExchangeAnswer, { type: 'ok' }>): string {
  if (answer.type === 'unknown') return 'the exchange is out of reach: ask again';
  const wait_s = limitedFor_s(answer);
  const { reason } = answer.details;
  const why = answer.code === 'UNAUTHORIZED' && typeof reason === 'string' ? ` (${reason})` : '';
  return `${answer.code}: ${answer.message}${why}${wait_s === null ? '' : `: ask again in ${wait_s} s`}`;
}

/** Of a batch, from its ClOrdIDs (client_order_id), its session and when each was sent: a ClOrdID of another day is another order. */
function keyOf(messages: readonly FixMessage[], orders: readonly OrderRequest[]): string {
  const sent = messages.map((message) => KEY_TAGS.map((tag) => textOf(message, tag)));
  return `fix:${createHash('sha256')
    .update(JSON.stringify([sent, orders]))
    .digest('hex')}`;
}

/** ClOrdID(11) of a placement. */
export function clOrdIdOf({ message }: Placement): string {
  return textOf(message, TAG.ClOrdID) ?? '';
}

function rejectedBy({ code, message }: { code: string; message: string }, orderId: unknown): PlacementOutcome {
  return {
    type: 'rejected',
    orderId: typeof orderId === 'string' ? orderId : null,
    reason: ordRejReason(code),
    text: `${code}: ${message}`,
  };
}
