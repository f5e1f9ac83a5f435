import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import { rowStatement } from './row-statement.ts';
import {
  BALANCE_DELTA_FIELDS,
  BAR_FIELDS,
  LIMIT_POSTING_FIELDS,
  LOT_FIELDS,
  ORDER_STATE_FIELDS,
  RESERVATION_DELTA_FIELDS,
  TRADE_FIELDS,
} from './rows.ts';

/**
 * The statements that settle one chunk of effects, in the order in which they run (DESIGN 8). ?1 is the JSON of the packed rows that the
 * statement is over, unless it says otherwise.
 */

/** ?2 book, ?3 base asset, ?4 quote asset. */
export const INSERT_TRADES = rowStatement(TRADE_FIELDS, (of) => {
  const trade = of('r.value');
  return `
INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order,
                    buyer, seller, buyer_fee, seller_fee, executed_at)
SELECT ${trade.id}, ?2, ${trade.sequence}, ?3, ?4, ${trade.price}, ${trade.quantity}, ${trade.notional}, ${trade.takerSide},
       ${trade.buyOrder}, ${trade.sellOrder}, ${trade.buyer}, ${trade.seller}, ${trade.buyerFee}, ${trade.sellerFee}, ${trade.executedAt}
FROM jsonb_each(?1) r`;
});

/** The trades of one chunk, just inserted. ?1 book, ?2 first and ?3 last sequence. */
const FILLS = 'trades WHERE book = ?1 AND sequence BETWEEN CAST(?2 AS INTEGER) AND CAST(?3 AS INTEGER)';

export const INSERT_FILL_TRANSACTIONS = `
INSERT INTO ledger_transactions (id, kind, created_at) SELECT id, 'fill', executed_at FROM ${FILLS}`;

/** Cash, asset and fee legs of each fill; they sum to zero per asset. */
export const INSERT_FILL_POSTINGS = `
INSERT INTO postings ("transaction", line, account, asset, amount)
SELECT t.id, l.column1,
  CASE l.column1 WHEN 1 THEN t.buyer WHEN 2 THEN t.seller WHEN 3 THEN t.seller WHEN 4 THEN t.buyer ELSE '${BOUNDARY_ACCOUNT.fees}' END,
  CASE WHEN l.column1 IN (3, 4) THEN t.asset_id ELSE t.quote_asset END,
  CASE l.column1 WHEN 1 THEN -(t.notional + t.buyer_fee) WHEN 2 THEN t.notional - t.seller_fee
    WHEN 3 THEN -t.quantity WHEN 4 THEN t.quantity ELSE t.buyer_fee + t.seller_fee END
FROM (SELECT * FROM ${FILLS}) t CROSS JOIN (VALUES (1), (2), (3), (4), (5)) l
WHERE l.column1 < 5 OR t.buyer_fee + t.seller_fee > 0`;

export const INSERT_LIMIT_POSTINGS = rowStatement(LIMIT_POSTING_FIELDS, (of) => {
  const posting = of('r.value');
  return `
INSERT INTO postings ("transaction", line, account, asset, amount)
SELECT ${posting.transaction}, ${posting.line}, ${posting.account}, ${posting.asset}, ${posting.amount} FROM jsonb_each(?1) r`;
});

/** Internally matched trades settle immediately (exchange.md, Settlement by asset kind 3). */
export const INSERT_SETTLEMENTS = `
INSERT INTO settlements (trade_id, status, settles_at) SELECT id, 'SETTLED', executed_at FROM ${FILLS}`;

export const INSERT_TRADE_EVENTS = `
INSERT INTO domain_events (id, type, subject, payload, created_at)
SELECT id, 'trade.executed', asset_id,
       json_object('trade_id', id, 'book', book, 'asset', asset_id, 'currency', quote_asset, 'price', price, 'quantity', quantity,
                   'notional', notional, 'taker_side', taker_side, 'buy_order', buy_order, 'sell_order', sell_order, 'buyer', buyer,
                   'seller', seller, 'buyer_fee', buyer_fee, 'seller_fee', seller_fee, 'executed_at', executed_at),
       executed_at
FROM ${FILLS}`;

/** Zero rows first: an UPSERT of a negative delta would fail its CHECK. */
export const OPEN_BALANCES = rowStatement(BALANCE_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
INSERT INTO balances (account, asset, boundary) SELECT ${delta.account}, ${delta.asset}, ${delta.boundary} FROM jsonb_each(?1) r WHERE true
ON CONFLICT DO NOTHING`;
});

/**
 * A sale takes its share of the cost away first (average cost). The share is split so that it stays exact while remainder × sold fits
 * 64 bits; cost is for reporting and enters no balance.
 */
export const MOVE_BALANCES = rowStatement(BALANCE_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
UPDATE balances SET
  available = available + d.add_available,
  held = held + d.add_held,
  cost = cost + d.bought - CASE WHEN d.sold > 0 AND available + held > 0
    THEN cost / (available + held) * min(d.sold, available + held)
       + CAST(cost % (available + held) * min(d.sold, available + held) / (available + held) AS INTEGER) ELSE 0 END
FROM (SELECT ${delta.account} AS account, ${delta.asset} AS asset, ${delta.available} AS add_available, ${delta.held} AS add_held,
             ${delta.bought} AS bought, ${delta.sold} AS sold FROM jsonb_each(?1) r) d
WHERE balances.account = d.account AND balances.asset = d.asset`;
});

export const UPDATE_ORDERS = rowStatement(ORDER_STATE_FIELDS, (of) => {
  const state = of('r.value');
  return `
UPDATE orders SET
  open = ${state.open}, status = ${state.status}, filled = ${state.filled}, filled_notional = ${state.filledNotional}, fee = ${state.fee},
  reserve = ${state.reserve}, allowance = ${state.allowance}, position = ${state.position}, restricted = ${state.restricted},
  quantity = ${state.quantity}, price = ${state.price}, code = ${state.code}, updated_at = ${state.updatedAt},
  executed_at = ${state.executedAt}, cancelled_at = ${state.cancelledAt}
FROM jsonb_each(?1) r
WHERE orders.id = ${state.id}`;
});

/** An order released as unavailable leaves its client's id free for the attempt that follows. */
export const FREE_CLIENT_ORDER_IDS = rowStatement(ORDER_STATE_FIELDS, (of) => {
  const state = of('r.value');
  return `
UPDATE orders SET client_order_id = NULL
WHERE code = 'UNAVAILABLE' AND id IN (SELECT ${state.id} FROM jsonb_each(?1) r WHERE ${state.code} = 'UNAVAILABLE')`;
});

/** ?1 JSON array of amendment ids. */
export const CLOSE_AMENDMENTS = `
UPDATE amendments SET open = 0, reserve = 0, allowance = 0, position = 0 WHERE id IN (SELECT value FROM json_each(?1))`;

/** What is consumed leaves the lot with its share of the cost, what is released only stops being reserved. */
export const MOVE_LOTS = rowStatement(RESERVATION_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
UPDATE lots SET
  quantity = quantity - d.consumed,
  reserved = reserved - d.consumed - d.released,
  cost = cost - (cost / quantity * d.consumed + CAST(cost % quantity * d.consumed / quantity AS INTEGER))
FROM (SELECT ${delta.lotId} AS id, SUM(${delta.consumed}) AS consumed, SUM(${delta.released}) AS released
      FROM jsonb_each(?1) r GROUP BY 1) d
WHERE lots.id = d.id`;
});

export const MOVE_RESERVATIONS = rowStatement(RESERVATION_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
UPDATE lot_reservations SET quantity = quantity - d.gone
FROM (SELECT ${delta.reservationId} AS order_id, ${delta.lotId} AS lot_id, SUM((${delta.consumed}) + (${delta.released})) AS gone
      FROM jsonb_each(?1) r GROUP BY 1, 2) d
WHERE lot_reservations.order_id = d.order_id AND lot_reservations.lot_id = d.lot_id`;
});

export const DELETE_SPENT_RESERVATIONS = rowStatement(RESERVATION_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
DELETE FROM lot_reservations WHERE quantity = 0
  AND (order_id, lot_id) IN (SELECT ${delta.reservationId}, ${delta.lotId} FROM jsonb_each(?1) r)`;
});

/** Lots that are gone. */
export const DELETE_SPENT_LOTS = rowStatement(RESERVATION_DELTA_FIELDS, (of) => {
  const delta = of('r.value');
  return `
DELETE FROM lots WHERE quantity = 0 AND id IN (SELECT ${delta.lotId} FROM jsonb_each(?1) r)`;
});

/** ?2 base asset. */
export const INSERT_LOTS = rowStatement(LOT_FIELDS, (of) => {
  const lot = of('r.value');
  return `
INSERT INTO lots (id, account, asset, quantity, cost, acquired_at, restriction_ends_at, offering_type)
SELECT ${lot.id}, ${lot.account}, ?2, ${lot.quantity}, ${lot.cost}, ${lot.acquiredAt}, ${lot.restrictionEndsAt}, ${lot.offeringType}
FROM jsonb_each(?1) r`;
});

/** ?2 book. */
export const ROLL_BARS = rowStatement(BAR_FIELDS, (of) => {
  const bar = of('r.value');
  return `
INSERT INTO bars (book, interval, bucket, open, high, low, close, volume, quote_volume, trades)
SELECT ?2, ${bar.interval}, ${bar.bucket}, ${bar.open}, ${bar.high}, ${bar.low}, ${bar.close}, ${bar.volume}, ${bar.quoteVolume},
       ${bar.trades}
FROM jsonb_each(?1) r WHERE true
ON CONFLICT DO UPDATE SET high = max(high, excluded.high), low = min(low, excluded.low), close = excluded.close,
  volume = volume + excluded.volume, quote_volume = quote_volume + excluded.quote_volume, trades = trades + excluded.trades`;
});
