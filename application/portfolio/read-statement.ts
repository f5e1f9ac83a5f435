import { type Holder, readHolder } from '../../data/accounts/holder.ts';
import {
  listMovements,
  type MovedAsset,
  type MovementKind,
  type MovementPage,
  type MovementPlace,
  readMovementSums,
} from '../../data/accounts/movements.ts';
import { database } from '../../data/database.ts';
import type { Span } from '../../domain/calendar/month.ts';
import { type AssetStatement, assetStatements } from '../../domain/portfolio/statement.ts';

export interface Statement {
  readonly holder: Holder;
  readonly assets: ReadonlyMap<string, MovedAsset>;
  readonly balances: readonly AssetStatement<MovementKind>[];
  readonly movements: MovementPage;
}

/**
 * What an account had at both ends of a span, and what moved between; null where more has moved since it began than is added up. Call it once D1 has what
 * the account's books have acknowledged.
 */
export async function readStatement(
  env: Env,
  account: string,
  span: Span,
  page: { readonly after: MovementPlace | null; readonly limit: number },
): Promise<Statement | null> {
  const db = database(env.DB);
  const [holder, sums] = await Promise.all([readHolder(db, account), readMovementSums(db, { account, ...span })]);
  if (sums === null) return null;
  let movements = await listMovements(db, { account, ...span }, page);
  while (movements.next !== null && movements.rows.length < page.limit) {
    const rest = { after: movements.next, limit: page.limit - movements.rows.length };
    const more = await listMovements(db, { account, ...span }, rest);
    movements = { rows: [...movements.rows, ...more.rows], next: more.next };
  }
  return {
    holder,
    assets: new Map(sums.assets.map((asset) => [asset.id, asset])),
    balances: assetStatements(sums.now, sums.moved),
    movements,
  };
}
