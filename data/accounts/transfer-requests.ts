import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { TransferRequestState } from '../../domain/accounts/transfer-request.ts';
import type { TransferType } from '../../domain/accounts/transfer-type.ts';
import type { Database } from '../database.ts';
import { accounts, transferRequests } from '../schema/accounts.ts';
import { assets } from '../schema/catalog.ts';

/** A payment comes within weeks of its request: older ones are found by id and by account. */
const LOOKED_THROUGH_MAX = 100_000;
/** Of 48 random bits no two are the same but by design. */
const SAME_REFERENCE_MAX = 5;

/** A request to pay in or out, with what its amount is of and whose it is. */
export type TransferRequestRecord = Readonly<typeof transferRequests.$inferSelect> & {
  readonly scale: number;
  readonly symbol: string;
  /** Organization id. */
  readonly owner: string;
};

export interface TransferRequestFilter {
  /** Null for all. */
  readonly account: string | null;
  readonly owner: string | null;
  readonly type: TransferType | null;
  readonly state: TransferRequestState | null;
  /** Digits of a payment's reference, with which the id ends. */
  readonly reference: string | null;
  /** Id of the last request of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

export async function findTransferRequest(db: Database, id: string): Promise<TransferRequestRecord | null> {
  const [row] = await select(db, [eq(transferRequests.id, id)], 1);
  return row ?? null;
}

/** Newest first. */
export function listTransferRequests(db: Database, filter: TransferRequestFilter): Promise<TransferRequestRecord[]> {
  const { account, owner, type, state, reference, before, limit } = filter;
  const conditions = [
    account === null ? undefined : eq(transferRequests.account, account),
    owner === null ? undefined : eq(accounts.owner, owner),
    type === null ? undefined : eq(transferRequests.type, type),
    state === null ? undefined : eq(transferRequests.state, state),
    reference === null ? undefined : sql`${transferRequests.id} IN (${withReference(reference)})`,
    before === null ? undefined : lt(transferRequests.id, before),
  ];
  return select(db, conditions, limit);
}

/** Ids of the requests whose payments name this reference, of the newest. */
export async function requestsByReference(db: Database, reference: string): Promise<string[]> {
  const rows = await db.all<{ readonly id: string }>(withReference(reference));
  return rows.map(({ id }) => id);
}

/** Their ids alone are looked through, which stand in the index. */
function withReference(reference: string): SQL {
  return sql`
    SELECT id FROM (SELECT id FROM transfer_requests ORDER BY id DESC LIMIT ${LOOKED_THROUGH_MAX})
    WHERE substr(id, 25) = ${reference} LIMIT ${SAME_REFERENCE_MAX}`;
}

/** Of the `count` oldest that nobody has decided, those that were asked for before. Their ids follow the times at which they came. */
export function oldRequests(
  db: Database,
  before_ms: number,
  count: number,
): Promise<{ readonly id: string; readonly account: string }[]> {
  return db.all(sql`
    SELECT id, account FROM (
      SELECT id, account, created_at FROM transfer_requests WHERE state = 'requested' ORDER BY id LIMIT ${count})
    WHERE created_at < ${before_ms} ORDER BY random()`);
}

async function select(
  db: Database,
  conditions: readonly (SQL | undefined)[],
  limit: number,
): Promise<TransferRequestRecord[]> {
  const rows = await db
    .select({ request: transferRequests, scale: assets.scale, symbol: assets.symbol, owner: accounts.owner })
    .from(transferRequests)
    .innerJoin(assets, eq(assets.id, transferRequests.asset))
    .innerJoin(accounts, eq(accounts.id, transferRequests.account))
    .where(and(...conditions))
    .orderBy(desc(transferRequests.id))
    .limit(limit);
  return rows.map(({ request, ...of }) => ({ ...request, ...of }));
}
