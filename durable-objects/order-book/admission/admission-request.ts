import type { BookConfig } from '../../../data/markets/book-config.ts';
import type { OrderAdmission } from '../../../domain/ledger/records.ts';
import type { MarketPrices } from '../../../domain/markets/price-band.ts';
import { err } from '../../../domain/result.ts';
import type { BookState } from '../cycle/book-state.ts';
import type { PendingCommand } from '../cycle/pending-command.ts';
import type { AmendCommand, BookRefusal, CancelCommand, ConvertCommand, PlaceCommand } from '../rpc/commands.ts';
import {
  type PreparedAmendment,
  type PreparedConversion,
  type PreparedOrder,
  prepareAmendment,
  prepareConversion,
  prepareOrder,
  rejectedAdmission,
} from './admission.ts';
import type { OpenOrderRoom } from './open-orders.ts';
import { codeOfRefusal } from './refusal.ts';

/** A command of a batch, with what it asks of the ledger. */
export type AdmissionRequest = { readonly pending: PendingCommand } & (
  | { readonly kind: 'order'; readonly prepared: PreparedOrder }
  | { readonly kind: 'amendment'; readonly prepared: PreparedAmendment }
  | { readonly kind: 'conversion'; readonly prepared: PreparedConversion }
  /** Asks for nothing. */
  | { readonly kind: 'cancel'; readonly command: CancelCommand }
  | { readonly kind: 'mass_cancel' }
  /** Asks a broker for what it was asked before, and has not answered. */
  | { readonly kind: 'under_way'; readonly command: AmendCommand }
  /** Refused by the book itself; `admission` records a refused placement. */
  | { readonly kind: 'refused'; readonly refusal: BookRefusal; readonly admission: OrderAdmission | null }
  /** Refused by order entry; `admission` records it. */
  | { readonly kind: 'rejection'; readonly orderId: string; readonly admission: OrderAdmission }
  /** The book does not have the order live: the read model knows what became of it. */
  | { readonly kind: 'ended' }
);

/** Works out what a command asks the ledger for, before its batch is sent. */
export function requestOf(
  pending: PendingCommand,
  state: BookState,
  config: BookConfig,
  room: OpenOrderRoom,
  now_ms: number,
): AdmissionRequest {
  const { command } = pending;
  if (command.type === 'cancel') return { pending, kind: 'cancel', command };
  if (command.type === 'mass_cancel') return { pending, kind: 'mass_cancel' };
  if (command.type === 'reject') {
    const admission = rejectedAdmission(command, config.market, command.code, now_ms);
    return { pending, kind: 'rejection', orderId: command.orderId, admission };
  }
  if (command.rulesVersion !== config.market.rulesVersion)
    return { pending, kind: 'refused', refusal: { reason: 'stale' }, admission: null };
  switch (command.type) {
    case 'place':
      return placementRequest(pending, command, state, config, room, now_ms);
    case 'amend':
      return amendmentRequest(pending, command, state, config, now_ms);
    case 'convert':
      return conversionRequest(pending, command, state, config, now_ms);
  }
}

function conversionRequest(
  pending: PendingCommand,
  command: ConvertCommand,
  state: BookState,
  config: BookConfig,
  now_ms: number,
): AdmissionRequest {
  const refused = (refusal: BookRefusal): AdmissionRequest => ({ pending, kind: 'refused', refusal, admission: null });
  const closed = refusalOfMarket(state, config, now_ms);
  if (closed !== null) return refused(closed);
  const order = state.orders.get(command.orderId);
  if (order === undefined || order.account !== command.account) return { pending, kind: 'ended' };
  const prepared = prepareConversion(command, order, config.market, now_ms);
  return prepared === null ? refused({ reason: 'notional_too_large' }) : { pending, kind: 'conversion', prepared };
}

function placementRequest(
  pending: PendingCommand,
  command: PlaceCommand,
  state: BookState,
  config: BookConfig,
  room: OpenOrderRoom,
  now_ms: number,
): AdmissionRequest {
  const { market } = config;
  const closed = refusalOfMarket(state, config, now_ms);
  const prices = pricesFor(command, state, now_ms);
  const prepared =
    closed === null
      ? prepareOrder(command, market, prices, now_ms, () => state.engine.depth(1).bids[0]?.[0] ?? null)
      : err(closed);
  const refusal = prepared.ok ? room.take(command) : prepared.error;
  if (prepared.ok && refusal === null) return { pending, kind: 'order', prepared: prepared.value };
  if (refusal === null) throw new Error('what was not prepared has a refusal');
  const admission = rejectedAdmission(command, market, codeOfRefusal(refusal), now_ms);
  return { pending, kind: 'refused', refusal, admission };
}

/** What a collar lies around: on a routed market what the broker quotes, where that is known. */
function pricesFor({ quoted = null }: PlaceCommand, state: BookState, now_ms: number): MarketPrices {
  const prices = state.pricesAt(now_ms);
  return state.venue === null || quoted === null ? prices : { ...prices, last: quoted };
}

function amendmentRequest(
  pending: PendingCommand,
  command: AmendCommand,
  state: BookState,
  config: BookConfig,
  now_ms: number,
): AdmissionRequest {
  const closed = refusalOfMarket(state, config, now_ms);
  if (closed !== null) return { pending, kind: 'refused', refusal: closed, admission: null };
  const order = state.orders.get(command.orderId);
  const live = state.engine.order(command.orderId);
  if (order === undefined || live === undefined || order.account !== command.account) return { pending, kind: 'ended' };
  if (state.isReplacingWith(order, command)) return { pending, kind: 'under_way', command };
  const prices = state.pricesAt(now_ms);
  const prepared = prepareAmendment(command, order, live, config.market, prices, now_ms);
  if (prepared.ok) return { pending, kind: 'amendment', prepared: prepared.value };
  return { pending, kind: 'refused', refusal: prepared.error, admission: null };
}

export function isOpen({ market, venueHalted }: BookConfig): boolean {
  return market.status === 'open' && !venueHalted;
}

/** Why the market takes no orders and amendments now, or null. */
function refusalOfMarket({ band }: BookState, config: BookConfig, now_ms: number): BookRefusal | null {
  if (!isOpen(config)) {
    const { status } = config.market;
    return { reason: 'market_not_open', status: status === 'open' ? 'halted' : status };
  }
  const { haltedUntil } = band;
  if (haltedUntil === null || !band.isHaltedAt(now_ms)) return null;
  return { reason: 'market_not_open', status: 'halted', resumesAt: haltedUntil };
}
