import { type SQL, sql } from 'drizzle-orm';
import type { Power } from '../../domain/identity/powers.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** What an id may be of, with the power that the pages ask for that show it. Whose it is decides beside that who sees it. */
export const FOUND_KINDS = {
  person: 'see_accounts',
  account: 'see_accounts',
  organization: 'see_accounts',
  api_key: 'manage_credentials',
  order: 'see_accounts',
  trade: 'see_accounts',
  transfer_request: 'see_accounts',
  payment: 'see_accounts',
  identity: 'see_identities',
  approval: 'audit_venue',
  asset: 'audit_venue',
  market: 'audit_venue',
  listing_event: 'audit_venue',
  security: 'audit_venue',
  settlement: 'audit_venue',
  webhook: 'audit_venue',
  bridge_transfer: 'audit_venue',
} as const satisfies Readonly<Record<string, Power>>;

export type FoundKind = keyof typeof FOUND_KINDS;

/** Something that has the id. What it has not is null. */
export interface FoundById {
  readonly id: string;
  readonly name: string | null;
  readonly state: string | null;
  /** Organization. */
  readonly owner: string | null;
  readonly account: string | null;
  /** The other account of a trade. */
  readonly otherAccount: string | null;
  readonly otherOwner: string | null;
  readonly userId: string | null;
  /** Of its market, or its asset. */
  readonly symbol: string | null;
  readonly assetId: string | null;
  readonly side: string | null;
  readonly quantity: number | null;
  readonly filled: number | null;
  readonly price: number | null;
  readonly quantityScale: number | null;
  readonly priceScale: number | null;
  readonly at: number | null;
}

const NONE = {
  name: sql`NULL`,
  state: sql`NULL`,
  owner: sql`NULL`,
  account: sql`NULL`,
  otherAccount: sql`NULL`,
  otherOwner: sql`NULL`,
  userId: sql`NULL`,
  symbol: sql`NULL`,
  assetId: sql`NULL`,
  side: sql`NULL`,
  quantity: sql`NULL`,
  filled: sql`NULL`,
  price: sql`NULL`,
  quantityScale: sql`NULL`,
  priceScale: sql`NULL`,
  at: sql`NULL`,
} as const satisfies Readonly<Record<Exclude<keyof FoundById, 'id'>, SQL>>;

/** What is selected, and of which rows. */
function select(id: SQL, columns: Partial<typeof NONE>, from: SQL): SQL {
  const named = Object.entries({ ...NONE, ...columns }).map(
    ([name, value]) => sql`${value} AS ${sql.identifier(name)}`,
  );
  return sql`SELECT ${id} AS id, ${sql.join(named, sql`, `)} ${from}`;
}

/** One query a kind, each by a primary key: the row, or that of the account and the market beside it. */
const QUERIES: Readonly<Record<FoundKind, (id: string) => SQL>> = {
  person: (id) =>
    select(
      sql`u.id`,
      {
        name: sql`u.name`,
        owner: sql`u.owner`,
        userId: sql`u.id`,
        state: sql`CASE WHEN u.deactivated_at IS NULL THEN 'active' ELSE 'deactivated' END`,
        at: sql`u.created_at`,
      },
      sql`FROM users u WHERE u.id = ${id}`,
    ),
  account: (id) =>
    select(
      sql`a.id`,
      { owner: sql`a.owner`, account: sql`a.id`, userId: sql`a.user_id`, name: sql`u.name` },
      sql`FROM accounts a LEFT JOIN users u ON u.id = a.user_id WHERE a.id = ${id} AND NOT a.boundary`,
    ),
  organization: (id) =>
    select(
      sql`o.id`,
      { name: sql`o.name`, owner: sql`o.id`, at: sql`o.created_at` },
      sql`FROM organizations o WHERE o.id = ${id}`,
    ),
  api_key: (id) =>
    select(
      sql`k.id`,
      { name: sql`k.name`, owner: sql`k.owner`, account: sql`k.account`, userId: sql`k.user_id` },
      sql`FROM api_keys k WHERE k.id = ${id}`,
    ),
  order: (id) => sql`
    ${select(
      sql`o.id`,
      {
        owner: sql`o.owner`,
        account: sql`o.account`,
        symbol: sql`o.book`,
        assetId: sql`o.asset_id`,
        state: sql`o.status`,
        side: sql`o.side`,
        quantity: sql`o.quantity`,
        filled: sql`o.filled`,
        price: sql`o.price`,
        quantityScale: sql`s.scale`,
        priceScale: sql`m.price_scale`,
        at: sql`o.created_at`,
      },
      sql`FROM orders o LEFT JOIN assets s ON s.id = o.asset_id LEFT JOIN markets m ON m.symbol = o.book WHERE o.id = ${id}`,
    )}
    UNION ALL
    ${select(
      sql`t.id`,
      {
        owner: sql`a.owner`,
        account: sql`t.account`,
        symbol: sql`t.book`,
        assetId: sql`m.base_asset`,
        state: sql`'archived'`,
        side: sql`t.side`,
        filled: sql`t.filled`,
        quantityScale: sql`s.scale`,
        priceScale: sql`m.price_scale`,
      },
      sql`FROM traded_orders t JOIN accounts a ON a.id = t.account JOIN markets m ON m.symbol = t.book
          JOIN assets s ON s.id = m.base_asset WHERE t.id = ${id}`,
    )}
    LIMIT 1`,
  trade: (id) =>
    select(
      sql`t.id`,
      {
        owner: sql`b.owner`,
        account: sql`t.buyer`,
        otherAccount: sql`t.seller`,
        otherOwner: sql`s.owner`,
        symbol: sql`t.book`,
        assetId: sql`t.asset_id`,
        state: sql`coalesce(j.type, 'stands')`,
        quantity: sql`t.quantity`,
        price: sql`t.price`,
        quantityScale: sql`c.scale`,
        priceScale: sql`m.price_scale`,
        at: sql`t.executed_at`,
      },
      sql`FROM trades t JOIN markets m ON m.symbol = t.book JOIN assets c ON c.id = t.asset_id
          LEFT JOIN accounts b ON b.id = t.buyer LEFT JOIN accounts s ON s.id = t.seller
          LEFT JOIN trade_adjustments j ON j.trade_id = t.id WHERE t.id = ${id}`,
    ),
  transfer_request: (id) =>
    select(
      sql`r.id`,
      {
        name: sql`r.type`,
        owner: sql`a.owner`,
        account: sql`r.account`,
        assetId: sql`r.asset`,
        symbol: sql`s.symbol`,
        state: sql`r.state`,
        quantity: sql`r.amount`,
        quantityScale: sql`s.scale`,
        at: sql`r.created_at`,
      },
      sql`FROM transfer_requests r JOIN accounts a ON a.id = r.account JOIN assets s ON s.id = r.asset WHERE r.id = ${id}`,
    ),
  payment: (id) =>
    select(
      sql`r.id`,
      {
        name: sql`r.type`,
        owner: sql`a.owner`,
        account: sql`r.account`,
        assetId: sql`r.asset`,
        symbol: sql`s.symbol`,
        state: sql`r.status`,
        quantity: sql`r.amount`,
        quantityScale: sql`s.scale`,
        at: sql`r.created_at`,
      },
      sql`FROM transfers r JOIN accounts a ON a.id = r.account JOIN assets s ON s.id = r.asset WHERE r.id = ${id}`,
    ),
  identity: (id) =>
    select(
      sql`i.id`,
      { owner: sql`i.owner`, account: sql`i.account`, userId: sql`i.user_id` },
      sql`FROM identities i WHERE i.id = ${id}`,
    ),
  approval: (id) =>
    select(
      sql`p.id`,
      { userId: sql`p.asked_by`, state: sql`p.state`, at: sql`p.asked_at` },
      sql`FROM operator_approvals p WHERE p.id = ${id}`,
    ),
  asset: (id) =>
    select(
      sql`s.id`,
      { name: sql`s.name`, symbol: sql`s.symbol`, assetId: sql`s.id`, state: sql`s.status`, at: sql`s.created_at` },
      sql`FROM assets s WHERE s.id = ${id} AND s.rail IS NOT NULL`,
    ),
  market: (id) =>
    select(
      sql`m.symbol`,
      { symbol: sql`m.symbol`, assetId: sql`m.base_asset`, state: sql`m.status` },
      sql`FROM markets m WHERE m.symbol = ${id.toUpperCase()}`,
    ),
  listing_event: (id) =>
    select(
      sql`l.id`,
      { assetId: sql`l.asset`, symbol: sql`l.book`, state: sql`l.state`, at: sql`l.created_at` },
      sql`FROM listing_events l WHERE l.id = ${id}`,
    ),
  security: (id) =>
    select(
      sql`x.id`,
      { name: sql`x.asset_name`, owner: sql`x.organization`, state: sql`x.state`, at: sql`x.created_at` },
      sql`FROM securities x WHERE x.id = ${id}`,
    ),
  settlement: (id) =>
    select(
      sql`p.id`,
      {
        account: sql`p.buyer`,
        otherAccount: sql`p.seller`,
        symbol: sql`p.book`,
        state: sql`p.status`,
        at: sql`p.executed_at`,
      },
      sql`FROM partner_settlements p WHERE p.id = ${id}`,
    ),
  webhook: (id) =>
    select(
      sql`w.id`,
      {
        owner: sql`w.organization`,
        state: sql`coalesce(w.disabled_reason, 'enabled')`,
        at: sql`w.created_at`,
      },
      sql`FROM webhook_endpoints w WHERE w.id = ${id}`,
    ),
  bridge_transfer: (id) =>
    select(
      sql`b.id`,
      {
        owner: sql`b.organization`,
        account: sql`b.account`,
        symbol: sql`b.asset`,
        state: sql`b.state`,
        at: sql`b.updated_at`,
      },
      sql`FROM bridge_transfers b WHERE b.id = ${id}`,
    ),
};

/** What has this id, of these kinds: one read by a primary key for each. */
export async function findById(
  db: Database,
  id: string,
  kinds: readonly FoundKind[],
): Promise<(FoundById & { readonly kind: FoundKind })[]> {
  const rows = await sqlBatch<FoundById[][]>(
    db,
    kinds.map((kind) => QUERIES[kind](id)),
  );
  return kinds.flatMap((kind, index) => (rows[index] ?? []).map((row) => ({ ...row, kind })));
}
