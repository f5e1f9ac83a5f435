import type {
  AdmissionResults,
  BookBatch,
  ExistingOrder,
  Ownership,
  RefusedRow,
  ReservedLot,
  SentChunk,
} from './rows.ts';
import * as sql from './statements.ts';

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
}

/** The ledger in D1. */
export function d1BookLedger(db: D1Database): BookLedger {
  return {
    commit: (batch) => commit(db, batch),
    takeOwnership: (book, owner, lastJournaledBatch) => takeOwnership(db, book, owner, lastJournaledBatch),
    order: async (orderId) => {
      const row = await db.prepare(sql.READ_ORDER).bind(orderId).first<ExistingOrderRow>();
      return row === null ? null : existingOrder(row);
    },
  };
}

interface Composed {
  readonly statements: D1PreparedStatement[];
  /** Where the readings of refused orders, refused amendments and lots stand among the statements; −1 if absent. */
  readonly refusedOrdersAt: number;
  readonly refusedAmendmentsAt: number;
  readonly lotsAt: number;
}

/** More rows than any batch has: the readings look at every row, not only after one was left out. */
const LOOK_AT_ALL = 1_000_000_000;

/** What SQLite itself refuses is refused for good; everything else D1 says leaves open whether the batch landed. */
const REFUSED_BY_SQLITE = /constraint|SQLITE_(ERROR|MISMATCH|TOOBIG|RANGE)/i;

async function commit(db: D1Database, batch: BookBatch): Promise<CommitOutcome> {
  const fence = db
    .prepare(sql.MOVE_FENCE)
    .bind(
      batch.book,
      batch.owner,
      batch.batch,
      batch.settledFrom,
      batch.settledTo,
      JSON.stringify(idsAskingForAdmission(batch)),
    );
  const work = compose(db, batch, 'write');
  try {
    const results = await db.batch([fence, ...work.statements]);
    return { type: 'landed', results: readResults(results.slice(1), work) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!REFUSED_BY_SQLITE.test(message)) throw error;
    if (!message.includes('books_fence')) return { type: 'violated', message };
    return afterFenceFailed(db, batch);
  }
}

function idsAskingForAdmission({ orders, amendments }: BookBatch): string[] {
  return [...orders, ...amendments].map((row) => row[0]);
}

/** The fence moved without us: either this very batch had landed before, or another instance has taken over. */
async function afterFenceFailed(db: D1Database, batch: BookBatch): Promise<CommitOutcome> {
  const reading = compose(db, batch, 'read');
  const [fence, ...results] = await db.batch<Record<string, unknown>>([
    db.prepare(sql.READ_FENCE).bind(batch.book),
    ...reading.statements,
  ]);
  const row = fence?.results[0] as { owner: string; batch: number; settled: number } | undefined;
  if (row !== undefined && row.owner === batch.owner && row.batch === batch.batch) {
    return { type: 'landed', results: readResults(results, reading) };
  }
  return { type: 'fenced', owner: row?.owner ?? '' };
}

function compose(db: D1Database, batch: BookBatch, mode: 'write' | 'read'): Composed {
  const statements: D1PreparedStatement[] = [];
  const add = (text: string, ...values: (string | number)[]): number =>
    statements.push(db.prepare(text).bind(...values)) - 1;
  const { book, baseAsset, quoteAsset } = batch;
  if (mode === 'write') for (const chunk of batch.chunks) settle(add, batch, chunk);

  let refusedOrdersAt = -1;
  if (batch.orders.length > 0) {
    const rows = JSON.stringify(batch.orders);
    if (mode === 'write') add(sql.ADMIT_ORDERS, rows, book, baseAsset, batch.batch);
    const tried = mode === 'write' && batch.orders.every((row) => row[22] === null) ? batch.orders.length : LOOK_AT_ALL;
    refusedOrdersAt = add(sql.READ_REFUSED_ORDERS, rows, book, batch.batch, tried);
    if (mode === 'write') add(sql.RECORD_REFUSED_ORDERS, rows, book, batch.batch, tried, baseAsset);
  }
  let refusedAmendmentsAt = -1;
  if (batch.amendments.length > 0) {
    const rows = JSON.stringify(batch.amendments);
    if (mode === 'write') add(sql.ADMIT_AMENDMENTS, rows, book, batch.batch);
    refusedAmendmentsAt = add(sql.READ_REFUSED_AMENDMENTS, rows, book, batch.batch);
  }
  let lotsAt = -1;
  if (
    batch.tracksLots &&
    (batch.orders.some((order) => order[4] === 'sell') || batch.amendments.some((a) => a[3] === baseAsset))
  ) {
    if (mode === 'write') {
      add(sql.RESERVE_LOTS, book, batch.batch, baseAsset);
      add(sql.TAKE_LOTS, book, batch.batch, baseAsset);
    }
    lotsAt = add(sql.READ_RESERVED_LOTS, book, batch.batch, baseAsset);
  }
  return { statements, refusedOrdersAt, refusedAmendmentsAt, lotsAt };

  function settle(put: typeof add, { tracksLots, emitsEvents }: BookBatch, { rows, text }: SentChunk): void {
    const [first, last] = [rows.trades[0], rows.trades.at(-1)];
    if (first !== undefined && last !== undefined) {
      put(sql.INSERT_TRADES, text.trades, book, baseAsset, quoteAsset);
      const fills = [book, first[1], last[1]] as const;
      put(sql.INSERT_FILL_TRANSACTIONS, ...fills);
      put(sql.INSERT_FILL_POSTINGS, ...fills);
      put(sql.INSERT_SETTLEMENTS, ...fills);
      if (emitsEvents) put(sql.INSERT_TRADE_EVENTS, ...fills);
      put(sql.ROLL_BARS, text.bars, book);
    }
    if (rows.limitPostings.length > 0) put(sql.INSERT_LIMIT_POSTINGS, text.limitPostings);
    if (rows.balances.length > 0) {
      put(sql.OPEN_BALANCES, text.balances);
      put(sql.MOVE_BALANCES, text.balances);
    }
    if (rows.orders.length > 0) {
      put(sql.UPDATE_ORDERS, text.orders);
      if (rows.orders.some((state) => state[12] === 'UNAVAILABLE')) put(sql.FREE_CLIENT_ORDER_IDS, text.orders);
    }
    if (rows.amendments.length > 0) put(sql.CLOSE_AMENDMENTS, text.amendments);
    if (tracksLots && rows.reservations.length > 0) {
      put(sql.MOVE_LOTS, text.reservations);
      put(sql.MOVE_RESERVATIONS, text.reservations);
      put(sql.DELETE_SPENT_RESERVATIONS, text.reservations);
      put(sql.DELETE_SPENT_LOTS, text.reservations);
    }
    if (tracksLots && rows.lots.length > 0) put(sql.INSERT_LOTS, text.lots, baseAsset);
  }
}

function readResults(results: D1Result[], work: Composed): AdmissionResults {
  const rows = <Row>(at: number): Row[] => (at < 0 ? [] : ((results[at]?.results ?? []) as Row[]));
  return {
    refused: [
      ...rows<RefusedOrderRow>(work.refusedOrdersAt).map(refusedOrder),
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
  const [, read] = await db.batch<{ owner: string }>([
    db.prepare(sql.OPEN_FENCE).bind(book),
    db.prepare(sql.READ_OWNER).bind(book),
  ]);
  const previous = read?.results[0]?.owner ?? '';
  const [, fence, unjournaled] = await db.batch<Record<string, unknown>>([
    db.prepare(sql.TAKE_OWNERSHIP).bind(book, previous, owner),
    db.prepare(sql.READ_FENCE).bind(book),
    db.prepare(sql.READ_UNJOURNALED).bind(book, lastJournaledBatch),
  ]);
  const row = fence?.results[0] as { batch: number; settled: number } | undefined;
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
