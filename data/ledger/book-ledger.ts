import * as admission from './admission-statements.ts';
import * as fence from './fence-statements.ts';
import { type PackedRows, packRows } from './packed-rows.ts';
import type { RowStatement } from './row-statement.ts';
import type {
  AdmissionResults,
  BookBatch,
  ExistingOrder,
  OrderRow,
  Ownership,
  RefusedRow,
  ReservedLot,
  SentChunk,
} from './rows.ts';
import * as settlement from './settlement-statements.ts';

/**
 * What a commit came to. `unknown` is not an outcome: the implementation throws, and the caller sends the same batch again until it
 * knows (DESIGN 8, Fence and recovery).
 */
export type CommitOutcome =
  | { readonly type: 'landed'; readonly results: AdmissionResults }
  /** Another instance owns the book: this one must stop at once. */
  | { readonly type: 'fenced'; readonly owner: string }
  /** A constraint refused the effects: the book must halt, nothing of the batch is in. */
  | { readonly type: 'violated'; readonly message: string };

/** The ledger as one order book sees it. Every method throws when the outcome is unknown, and may then be repeated unchanged. */
export interface BookLedger {
  commit(batch: BookBatch): Promise<CommitOutcome>;
  /** Takes the book over from whoever owns it, and reads what that owner left, in one batch. */
  takeOwnership(book: string, owner: string, lastJournaledBatch: number): Promise<Ownership>;
  order(orderId: string): Promise<ExistingOrder | null>;
  /** Whether an amendment of this id was ever admitted. */
  isAmendmentKnown(amendmentId: string): Promise<boolean>;
}

/** Fewer orders than this are cheaper to hold row by row than with the statements that hold them together (measured: 25). */
const TOGETHER_FROM_ORDERS = 32;

/**
 * The ledger in D1.
 * @param togetherFrom batches of so many orders and more take the holds of many at once; tests compare both ways
 */
export function d1BookLedger(db: D1Database, togetherFrom = TOGETHER_FROM_ORDERS): BookLedger {
  return {
    commit: (batch) => commit(db, batch, togetherFrom),
    takeOwnership: (book, owner, lastJournaledBatch) => takeOwnership(db, book, owner, lastJournaledBatch),
    order: async (orderId) => {
      const row = await db.prepare(fence.READ_ORDER).bind(orderId).first<ExistingOrderRow>();
      return row === null ? null : existingOrder(row);
    },
    isAmendmentKnown: async (amendmentId) =>
      (await db.prepare(fence.READ_AMENDMENT).bind(amendmentId).first()) !== null,
  };
}

interface Composed {
  readonly statements: D1PreparedStatement[];
  /** Where the readings of refused orders, orders that stand already, refused amendments and lots stand among the statements; −1 if absent. */
  readonly refusedOrdersAt: number;
  readonly standingOrdersAt: number;
  readonly refusedAmendmentsAt: number;
  readonly lotsAt: number;
}

/** More rows than any batch has: the readings look at every row, not only after one was left out. */
const LOOK_AT_ALL = 1_000_000_000;

/** What SQLite itself refuses is refused for good; everything else D1 says leaves open whether the batch landed. */
const REFUSED_BY_SQLITE = /constraint|SQLITE_(ERROR|MISMATCH|TOOBIG|RANGE)/i;

async function commit(db: D1Database, batch: BookBatch, togetherFrom: number): Promise<CommitOutcome> {
  const asked = askedOf(batch);
  const work = compose(db, batch, asked, 'write', togetherFrom);
  const moveFence = db
    .prepare(fence.MOVE_FENCE)
    .bind(batch.book, batch.owner, batch.batch, batch.settledFrom, batch.settledTo, askedText(asked));
  try {
    const results = await db.batch([moveFence, ...work.statements]);
    return { type: 'landed', results: readResults(results.slice(1), work) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!REFUSED_BY_SQLITE.test(message)) throw error;
    if (!message.includes('books_fence')) return { type: 'violated', message };
    return afterFenceFailed(db, batch, asked);
  }
}

/** What a batch asks to admit, as `books.admission` keeps it until the next batch. */
interface Asked {
  readonly orders: PackedRows;
  readonly amendments: PackedRows;
}

function askedOf({ orders, amendments }: BookBatch): Asked {
  return { orders: packRows(orders), amendments: packRows(amendments) };
}

function askedText({ orders, amendments }: Asked): string {
  return `{"orders":${orders.json},"amendments":${amendments.json}}`;
}

/**
 * What each account needs in all to hold these orders: [account, asset, amount]. An account whose sum is no exact number is left out, so
 * that it is held row by row.
 */
function needsOf(orders: readonly OrderRow[]): [account: string, asset: string, amount: number][] {
  const needs = new Map<string, Map<string, number>>();
  const need = (account: string, asset: string, amount: number): void => {
    let ofAccount = needs.get(account);
    if (ofAccount === undefined) {
      ofAccount = new Map();
      needs.set(account, ofAccount);
    }
    ofAccount.set(asset, (ofAccount.get(asset) ?? 0) + amount);
  };
  for (const order of orders) {
    const [account, reserveAsset, reserve, allowanceAsset, allowance, positionAsset, position] = [
      order[1],
      ...order.slice(13, 19),
    ] as [string, string, number, string | null, number, string | null, number];
    need(account, reserveAsset, reserve);
    if (allowanceAsset !== null && allowance > 0) need(account, allowanceAsset, allowance);
    if (positionAsset !== null && position > 0) need(account, positionAsset, position);
  }
  return [...needs].flatMap(([account, ofAccount]) =>
    [...ofAccount.values()].every(Number.isSafeInteger)
      ? [...ofAccount].map(([asset, amount]): [string, string, number] => [account, asset, amount])
      : [],
  );
}

/** The fence moved without us: either this very batch had landed before, or another instance has taken over. */
async function afterFenceFailed(db: D1Database, batch: BookBatch, asked: Asked): Promise<CommitOutcome> {
  const reading = compose(db, batch, asked, 'read', Number.POSITIVE_INFINITY);
  const [read, ...results] = await db.batch<Record<string, unknown>>([
    db.prepare(fence.READ_FENCE).bind(batch.book),
    ...reading.statements,
  ]);
  const row = read?.results[0] as { owner: string; batch: number; settled: number } | undefined;
  if (row !== undefined && row.owner === batch.owner && row.batch === batch.batch) {
    return { type: 'landed', results: readResults(results, reading) };
  }
  return { type: 'fenced', owner: row?.owner ?? '' };
}

function compose(
  db: D1Database,
  batch: BookBatch,
  asked: Asked,
  mode: 'write' | 'read',
  togetherFrom: number,
): Composed {
  const statements: D1PreparedStatement[] = [];
  const add = (text: string, ...values: (string | number)[]): number =>
    statements.push(db.prepare(text).bind(...values)) - 1;
  const addOver = (rows: PackedRows, statement: RowStatement, ...values: (string | number)[]): number =>
    statements.push(statement.prepare(db, rows, ...values)) - 1;
  const { book, baseAsset, quoteAsset } = batch;
  if (mode === 'write') for (const chunk of batch.chunks) settle(batch, chunk);

  let refusedOrdersAt = -1;
  let standingOrdersAt = -1;
  if (batch.orders.length > 0) {
    const over = asked.orders;
    const wanting = batch.orders.filter((row) => row[22] === null);
    if (mode === 'write') {
      if (wanting.length >= togetherFrom) {
        add(admission.CHOOSE_TOGETHER, book, JSON.stringify(needsOf(wanting)));
        addOver(over, admission.ADMIT_TOGETHER, book, batch.batch, baseAsset);
        add(admission.COUNT_TOGETHER, book);
        add(admission.HOLD_TOGETHER, book, batch.batch, wanting.length);
      }
      addOver(over, admission.ADMIT_ORDERS, book, batch.batch, wanting.length, baseAsset);
    }
    const wantedIn = mode === 'write' && wanting.length === batch.orders.length ? wanting.length : LOOK_AT_ALL;
    refusedOrdersAt = addOver(over, admission.READ_REFUSED_ORDERS, book, batch.batch, wantedIn);
    if (wanting.length < batch.orders.length) {
      const refusedByBook = batch.orders.filter((row) => row[22] !== null).map(([id]) => id);
      standingOrdersAt = add(admission.READ_STANDING_ORDERS, book, batch.batch, JSON.stringify(refusedByBook));
    }
    if (mode === 'write') addOver(over, admission.RECORD_REFUSED_ORDERS, book, batch.batch, wantedIn, baseAsset);
  }
  let refusedAmendmentsAt = -1;
  if (batch.amendments.length > 0) {
    const over = asked.amendments;
    if (mode === 'write') addOver(over, admission.ADMIT_AMENDMENTS, book, batch.batch);
    refusedAmendmentsAt = addOver(over, admission.READ_REFUSED_AMENDMENTS, book, batch.batch);
  }
  let lotsAt = -1;
  if (
    batch.tracksLots &&
    (batch.orders.some((order) => order[4] === 'sell') || batch.amendments.some((a) => a[3] === baseAsset))
  ) {
    if (mode === 'write') {
      add(admission.RESERVE_LOTS, book, batch.batch, baseAsset);
      add(admission.TAKE_LOTS, book, batch.batch, baseAsset);
    }
    lotsAt = add(admission.READ_RESERVED_LOTS, book, batch.batch, baseAsset);
  }
  return { statements, refusedOrdersAt, standingOrdersAt, refusedAmendmentsAt, lotsAt };

  function settle({ tracksLots, emitsEvents }: BookBatch, { rows, packed }: SentChunk): void {
    const put = (over: PackedRows, statement: RowStatement, ...values: string[]): number =>
      addOver(over, statement, over.json, ...values);
    const [first, last] = [rows.trades[0], rows.trades.at(-1)];
    if (first !== undefined && last !== undefined) {
      put(packed.trades, settlement.INSERT_TRADES, book, baseAsset, quoteAsset);
      const fills = [book, first[1], last[1]] as const;
      add(settlement.INSERT_FILL_TRANSACTIONS, ...fills);
      add(settlement.INSERT_FILL_POSTINGS, ...fills);
      add(settlement.INSERT_SETTLEMENTS, ...fills);
      if (emitsEvents) add(settlement.INSERT_TRADE_EVENTS, ...fills);
      put(packed.bars, settlement.ROLL_BARS, book);
    }
    if (rows.limitPostings.length > 0) put(packed.limitPostings, settlement.INSERT_LIMIT_POSTINGS);
    if (rows.balances.length > 0) {
      put(packed.balances, settlement.OPEN_BALANCES);
      put(packed.balances, settlement.MOVE_BALANCES);
    }
    if (rows.orders.length > 0) {
      put(packed.orders, settlement.UPDATE_ORDERS);
      if (rows.orders.some((state) => state[12] === 'UNAVAILABLE')) {
        put(packed.orders, settlement.FREE_CLIENT_ORDER_IDS);
      }
    }
    if (rows.amendments.length > 0) add(settlement.CLOSE_AMENDMENTS, packed.amendments);
    if (tracksLots && rows.reservations.length > 0) {
      put(packed.reservations, settlement.MOVE_LOTS);
      put(packed.reservations, settlement.MOVE_RESERVATIONS);
      put(packed.reservations, settlement.DELETE_SPENT_RESERVATIONS);
      put(packed.reservations, settlement.DELETE_SPENT_LOTS);
    }
    if (tracksLots && rows.lots.length > 0) put(packed.lots, settlement.INSERT_LOTS, baseAsset);
  }
}

function readResults(results: D1Result[], work: Composed): AdmissionResults {
  const rows = <Row>(at: number): Row[] => (at < 0 ? [] : ((results[at]?.results ?? []) as Row[]));
  return {
    refused: [
      ...rows<RefusedOrderRow>(work.refusedOrdersAt).map(refusedOrder),
      ...rows<{ id: string }>(work.standingOrdersAt).map(
        ({ id }): RefusedRow => ({ id, refusal: 'exists', available: 0, existing: null }),
      ),
      ...rows<Omit<RefusedRow, 'existing'>>(work.refusedAmendmentsAt).map((row) => ({ ...row, existing: null })),
    ],
    lots: rows<ReservedLot>(work.lotsAt),
  };
}

interface ExistingOrderRow {
  id: string;
  account: string;
  status: string;
  quantity: number;
  price: number | null;
  filled: number;
  filled_notional: number;
  restricted: number;
  code: string | null;
  updated_at: number;
}

interface RefusedOrderRow extends Omit<ExistingOrderRow, 'account'> {
  refusal: RefusedRow['refusal'];
  available: number;
  existing_id: string | null;
  existing_account: string;
}

function refusedOrder(row: RefusedOrderRow): RefusedRow {
  return {
    id: row.id,
    refusal: row.refusal,
    available: row.available,
    existing:
      row.existing_id === null ? null : existingOrder({ ...row, id: row.existing_id, account: row.existing_account }),
  };
}

function existingOrder(row: ExistingOrderRow): ExistingOrder {
  return {
    id: row.id,
    account: row.account,
    status: row.status,
    quantity: row.quantity,
    price: row.price,
    filled: row.filled,
    filledNotional: row.filled_notional,
    restricted: row.restricted === 1,
    code: row.code,
    updatedAt: row.updated_at,
  };
}

async function takeOwnership(
  db: D1Database,
  book: string,
  owner: string,
  lastJournaledBatch: number,
): Promise<Ownership> {
  const [, owners] = await db.batch<{ owner: string }>([
    db.prepare(fence.OPEN_FENCE).bind(book),
    db.prepare(fence.READ_OWNER).bind(book),
  ]);
  const previous = owners?.results[0]?.owner ?? '';
  const [, read, unjournaled] = await db.batch<Record<string, unknown>>([
    db.prepare(fence.TAKE_OWNERSHIP).bind(book, previous, owner),
    db.prepare(fence.READ_FENCE).bind(book),
    db.prepare(admission.READ_UNJOURNALED).bind(book, lastJournaledBatch),
  ]);
  const row = read?.results[0] as { batch: number; settled: number } | undefined;
  if (row === undefined) throw new Error(`book ${book} has no fence`);
  return {
    batch: row.batch,
    settled: row.settled,
    unjournaled: ((unjournaled?.results ?? []) as unknown as UnjournaledRow[]).map((hold) => ({
      kind: hold.kind,
      id: hold.id,
      account: hold.account,
      reserveAsset: hold.reserve_asset,
      reserve: hold.reserve,
      allowanceAsset: hold.allowance_asset,
      allowance: hold.allowance,
      positionAsset: hold.position_asset,
      position: hold.position,
      quantity: hold.quantity,
      price: hold.price,
      lots: JSON.parse(hold.lots) as { lotId: string; quantity: number }[],
    })),
  };
}

interface UnjournaledRow {
  kind: 'order' | 'amendment';
  id: string;
  account: string;
  reserve_asset: string;
  reserve: number;
  allowance_asset: string | null;
  allowance: number;
  position_asset: string | null;
  position: number;
  quantity: number;
  price: number | null;
  lots: string;
}
