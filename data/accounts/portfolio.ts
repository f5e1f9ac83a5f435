import { sql } from 'drizzle-orm';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import type { AssetCategory } from '../../domain/assets/asset.ts';
import type { MarketRoute } from '../../domain/markets/market.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';
import { marketOfAsset } from '../markets/market-of-asset.ts';

/** A security, commodity or coin that an account holds, available and held together. Scaled integers. */
export interface HoldingRow {
  readonly assetId: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: AssetCategory;
  readonly offeringType: string | null;
  readonly quantityScale: number;
  readonly quantity: number;
  /** Quote units paid, over the lots where the asset has them. */
  readonly cost: number;
  /** The asset's market against cash. */
  readonly book: string | null;
  readonly route: MarketRoute | null;
  /** Null without a market. */
  readonly priceScale: number | null;
  /** Of the market, else of the asset. */
  readonly referencePrice: number | null;
  /** Scale of cash, which costs are in. */
  readonly cashScale: number;
}

/** Holdings of an account by symbol; currencies and allowances are none. */
export function listHoldings(db: Database, account: string): Promise<HoldingRow[]> {
  return db.all<HoldingRow>(sql`
    SELECT a.id AS assetId, a.symbol, a.name, a.category, a.offering_type AS offeringType, a.scale AS quantityScale, b.available + b.held AS quantity,
           CASE WHEN a.tracks_lots THEN (SELECT coalesce(SUM(l.cost), 0) FROM lots l WHERE l.account = b.account AND l.asset = b.asset)
                ELSE b.cost END AS cost,
           m.symbol AS book, m.route, m.price_scale AS priceScale, CASE WHEN m.symbol IS NULL THEN a.reference_price ELSE m.reference_price END AS referencePrice, cash.scale AS cashScale
    FROM balances b
    JOIN assets a ON a.id = b.asset AND a.category NOT IN ('currency', 'allowance')
    JOIN assets cash ON cash.symbol = ${CASH_SYMBOL}
    LEFT JOIN markets m ON m.symbol = ${marketOfAsset({ id: sql`a.id`, executionRoute: sql`a.execution_route` })}
    WHERE b.account = ${account} AND b.available + b.held > 0
    ORDER BY a.symbol`);
}

/** Cash of an account in scaled integers, zeros where there is none. */
export async function readCash(
  db: Database,
  account: string,
): Promise<{ available: number; held: number; scale: number }> {
  const [row] = await db.all<{ available: number; held: number; scale: number }>(sql`
    SELECT coalesce(b.available, 0) AS available, coalesce(b.held, 0) AS held, cash.scale
    FROM assets cash LEFT JOIN balances b ON b.asset = cash.id AND b.account = ${account}
    WHERE cash.symbol = ${CASH_SYMBOL}`);
  return row ?? { available: 0, held: 0, scale: 0 };
}

/** Who holds an account, and how far they have been verified. */
export interface AccountProfile
  extends Pick<ComplianceFacts, 'kycStatus' | 'accreditationStatus' | 'accreditationType'> {
  readonly userId: string;
  readonly email: string;
  readonly phone: string;
}

/** The holder of a trading account. @throws Error for an account without one: callers have been authenticated as its user. */
export async function readAccountProfile(db: Database, account: string): Promise<AccountProfile> {
  const [row] = await db.all<AccountProfile>(sql`
    SELECT u.id AS userId, u.email, coalesce(u.phone, '') AS phone, a.kyc_status AS kycStatus,
           a.accreditation_status AS accreditationStatus, a.accreditation_type AS accreditationType
    FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.id = ${account}`);
  if (row === undefined) throw new Error(`account ${account} has no user`);
  return row;
}
