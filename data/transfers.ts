import { type SQL, sql } from 'drizzle-orm';
import { BOUNDARY_ACCOUNT } from '../domain/ledger/boundary-accounts.ts';
import type { Database } from './database.ts';
import { type OperatorAction, operatorEvent } from './operator-events.ts';
import { postEntry } from './postings.ts';
import type { transfers } from './schema.ts';
import { sqlBatch } from './sql-batch.ts';

export type Transfer = typeof transfers.$inferSelect;

/** A tax lot that comes in with a deposit. */
export interface DepositedLot {
  /** Scaled units; the lots of a deposit sum to its amount. */
  readonly quantity: number;
  /** Quote units paid for it. */
  readonly cost: number;
  /** Unix milliseconds. */
  readonly acquiredAt: number;
  /** Unix milliseconds; null for a lot that may be sold to anyone. */
  readonly restrictionEndsAt: number | null;
  /** E.g. `506c`, `reg_cf`; null falls back on the asset's regulation. */
  readonly offeringType: string | null;
}

export interface TransferRequest {
  /** UUIDv7 of the transfer and of its ledger transaction; sending the same again changes nothing. */
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  /** Scaled units, above 0. */
  readonly amount: number;
  readonly reference: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Who asked, for the audit trail; null while seeding. */
  readonly action: OperatorAction | null;
}

export interface DepositRequest extends TransferRequest {
  /** For an asset that tracks lots; they sum to `amount`. */
  readonly lots: readonly DepositedLot[];
  /** Quote units paid, the cost basis of an asset without lots; with lots it is their sum. */
  readonly cost: number;
}

export type TransferError =
  | { readonly reason: 'account_not_found' }
  | { readonly reason: 'asset_not_found' }
  /** The id stands for another transfer. */
  | { readonly reason: 'id_conflict' }
  | { readonly reason: 'lots_do_not_sum'; readonly expected: number; readonly found: number }
  /** The balance would leave the range in which amounts are exact. */
  | { readonly reason: 'balance_too_large' }
  /** `available` in scaled units. */
  | { readonly reason: 'insufficient_balance'; readonly required: number; readonly available: number };

export type TransferResult =
  | { readonly ok: true; readonly transfer: Transfer; readonly repeated: boolean }
  | { readonly ok: false; readonly error: TransferError };

/** Credits an account against boundary:deposits: balances, postings, transfer, lots and audit event in one batch. */
export async function deposit(db: Database, request: DepositRequest): Promise<TransferResult> {
  const lots = request.lots.map((lot, index) => [
    lotId(request.id, index),
    lot.quantity,
    lot.cost,
    lot.acquiredAt,
    lot.restrictionEndsAt,
    lot.offeringType,
  ]);
  const found = request.lots.reduce((sum, lot) => sum + lot.quantity, 0);
  const tracksLots = await readTracksLots(db, request.asset);
  if (tracksLots === null) return refused({ reason: 'asset_not_found' });
  const expected = tracksLots ? request.amount : 0;
  if (found !== expected) return refused({ reason: 'lots_do_not_sum', expected, found });
  const cost = tracksLots ? request.lots.reduce((sum, lot) => sum + lot.cost, 0) : request.cost;
  return transfer(db, request, 'deposit', (applying) => [
    sql`
      UPDATE balances SET cost = cost + CAST(${cost} AS INTEGER)
      WHERE account = ${request.account} AND asset = ${request.asset} AND ${applying}`,
    sql`
      INSERT INTO lots (id, account, asset, quantity, cost, acquired_at, restriction_ends_at, offering_type)
      SELECT value ->> 0, ${request.account}, ${request.asset}, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
      FROM json_each(${JSON.stringify(lots)}) WHERE ${applying}`,
  ]);
}

/** Debits what is available against boundary:withdrawals; lots leave first-in-first-out, those that open sells reserve stay. */
export async function withdraw(db: Database, request: TransferRequest): Promise<TransferResult> {
  if ((await readTracksLots(db, request.asset)) === null) return refused({ reason: 'asset_not_found' });
  const ofHolding = sql`account = ${request.account} AND asset = ${request.asset}`;
  const amount = sql`CAST(${request.amount} AS INTEGER)`;
  return transfer(db, request, 'withdrawal', (applying) => [
    sql`
      UPDATE balances SET cost = cost - ${shareOf('cost', amount, 'available + held')} WHERE ${ofHolding} AND ${applying}`,
    sql`
      UPDATE lots SET quantity = quantity - t.taken, cost = cost - ${shareOf('cost', sql`t.taken`, 'quantity')}
      FROM (
        SELECT id AS lot, min(free, ${amount} - before) AS taken FROM (
          SELECT id, quantity - reserved AS free,
                 coalesce(sum(quantity - reserved) OVER (
                   ORDER BY acquired_at, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
          FROM lots WHERE ${ofHolding})
        WHERE before < ${amount} AND free > 0) t
      WHERE lots.id = t.lot AND ${applying}`,
    sql`DELETE FROM lots WHERE ${ofHolding} AND quantity = 0`,
  ]);
}

/**
 * floor(amount × part ÷ whole) in SQL, split so that it stays exact while remainder × part fits 64 bits. Cost is for reporting and
 * enters no balance.
 */
function shareOf(column: string, part: SQL, whole: string): SQL {
  const amount = sql.raw(column);
  const divisor = sql.raw(`(${whole})`);
  return sql`(${amount} / ${divisor} * ${part} + CAST(${amount} % ${divisor} * ${part} / ${divisor} AS INTEGER))`;
}

async function transfer(
  db: Database,
  request: TransferRequest,
  type: 'deposit' | 'withdrawal',
  effects: (applying: SQL) => SQL[],
): Promise<TransferResult> {
  const signed = type === 'deposit' ? request.amount : -request.amount;
  const boundary = type === 'deposit' ? BOUNDARY_ACCOUNT.deposits : BOUNDARY_ACCOUNT.withdrawals;
  const entry = postEntry({
    id: request.id,
    kind: type,
    createdAt: request.createdAt,
    postings: [
      { account: request.account, asset: request.asset, amount: signed },
      { account: boundary, asset: request.asset, amount: -signed },
    ],
  });
  const { id, account, asset, amount, reference, createdAt } = request;
  const event = request.action === null ? [] : [transferEvent(request.action, request, type, signed, entry.applying)];
  const results = await sqlBatch(db, [
    readOutcome(request),
    ...entry.open,
    ...effects(entry.applying),
    sql`
      INSERT INTO transfers (id, account, type, asset, amount, status, reference, created_at)
      SELECT ${id}, ${account}, ${type}, ${asset}, ${amount}, 'completed', ${reference}, ${createdAt} WHERE ${entry.applying}`,
    ...event,
    ...entry.close,
    readOutcome(request),
  ]);
  const before = outcomeOf(results[0]);
  const after = outcomeOf(results.at(-1));
  if (after.transfer === null) return refused(whyRefused(after, request, type));
  const same =
    after.transfer.account === account &&
    after.transfer.asset === asset &&
    after.transfer.amount === amount &&
    after.transfer.type === type;
  if (!same) return refused({ reason: 'id_conflict' });
  return { ok: true, transfer: after.transfer, repeated: before.transfer !== null };
}

function transferEvent(
  action: OperatorAction,
  request: TransferRequest,
  type: string,
  signed: number,
  applying: SQL,
): SQL {
  const balance = sql`SELECT json_object('available', available, 'held', held) FROM balances
    WHERE account = ${request.account} AND asset = ${request.asset}`;
  const moved = sql`SELECT json_object('available', available + CAST(${signed} AS INTEGER), 'held', held) FROM balances
    WHERE account = ${request.account} AND asset = ${request.asset}`;
  return operatorEvent({
    action,
    type: `operator.${type}`,
    subject: request.account,
    createdAt: request.createdAt,
    details: { transferId: request.id, asset: request.asset, amount: request.amount, reference: request.reference },
    before: sql`(${balance})`,
    after: sql`(${moved})`,
    when: applying,
  });
}

interface Outcome {
  readonly transfer: Transfer | null;
  readonly accountExists: boolean;
  readonly idTaken: boolean;
  readonly available: number;
}

function readOutcome({ id, account, asset }: TransferRequest): SQL {
  return sql`
    SELECT (SELECT json_object('id', id, 'account', account, 'type', type, 'asset', asset, 'amount', amount, 'status', status,
                               'reference', reference, 'createdAt', created_at) FROM transfers WHERE id = ${id}) AS transfer,
           EXISTS (SELECT 1 FROM accounts WHERE id = ${account}) AS accountExists,
           EXISTS (SELECT 1 FROM ledger_transactions WHERE id = ${id}) AS idTaken,
           coalesce((SELECT available FROM balances WHERE account = ${account} AND asset = ${asset}), 0) AS available`;
}

function outcomeOf(rows: unknown): Outcome {
  const [row] = rows as { transfer: string | null; accountExists: number; idTaken: number; available: number }[];
  if (row === undefined) throw new Error('a reading without FROM always has one row');
  return {
    transfer: row.transfer === null ? null : (JSON.parse(row.transfer) as Transfer),
    accountExists: row.accountExists === 1,
    idTaken: row.idTaken === 1,
    available: row.available,
  };
}

function whyRefused(found: Outcome, request: TransferRequest, type: 'deposit' | 'withdrawal'): TransferError {
  if (!found.accountExists) return { reason: 'account_not_found' };
  if (found.idTaken) return { reason: 'id_conflict' };
  if (type === 'withdrawal' && found.available < request.amount) {
    return { reason: 'insufficient_balance', required: request.amount, available: found.available };
  }
  return { reason: 'balance_too_large' };
}

async function readTracksLots(db: Database, asset: string): Promise<boolean | null> {
  const [row] = await db.all<{ tracksLots: number }>(
    sql`SELECT tracks_lots AS tracksLots FROM assets WHERE id = ${asset}`,
  );
  return row === undefined ? null : row.tracksLots === 1;
}

/** Lots sort by id where they were acquired at the same time, so the order of the deposit is kept. */
function lotId(transferId: string, index: number): string {
  return `${transferId}:${String(index).padStart(4, '0')}`;
}

function refused(error: TransferError): TransferResult {
  return { ok: false, error };
}
