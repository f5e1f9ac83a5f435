import { eq, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema.ts';

/** What the creator of an asset says; the rest takes its default. */
export type AssetTerms = Readonly<Pick<AssetRow, StatedOfAsset> & Partial<Omit<AssetRow, StatedOfAsset>>>;

/** What an operator's listing says: everything but the image that is uploaded later. */
export type ListingTerms = Omit<Required<AssetTerms>, 'imageObject'>;

type StatedOfAsset = 'id' | 'symbol' | 'name' | 'category' | 'scale' | 'createdAt';

export type AssetRow = typeof assets.$inferSelect;

/** Stores an asset; one that stands under this id is left as it is. A symbol of another asset throws. */
export async function createAsset(db: Database, terms: AssetTerms): Promise<void> {
  await db.insert(assets).values(terms).onConflictDoNothing({ target: assets.id });
}

/** Stores an asset for an operator, written down; false where the id or the symbol is taken. */
export function registerAsset(db: Database, terms: ListingTerms, action: OperatorAction): Promise<boolean> {
  const { id, symbol, name, category, rail, exchange, status, scale, executionRoute } = terms;
  const { accreditationType, regulation, offeringType, issuerName, description, image, createdAt } = terms;
  return createOnce(db, {
    action,
    type: 'operator.asset_created',
    subject: id,
    after: { ...terms },
    now: createdAt,
    conflict: sql`SELECT 1 FROM assets WHERE id = ${id} OR symbol = ${symbol}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO assets (id, symbol, name, category, rail, exchange, status, scale, tradeable, execution_route,
                              accreditation_type, regulation, offering_type, tracks_lots, issuer_name, description, image, created_at)
          SELECT ${id}, ${symbol}, ${name}, ${category}, ${rail}, ${exchange}, ${status}, ${scale}, ${terms.tradeable ? 1 : 0},
                 ${executionRoute}, ${accreditationType}, ${regulation}, ${offeringType}, ${terms.tracksLots ? 1 : 0},
                 ${issuerName}, ${description}, ${image}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
}

/** The asset under this id, or null. */
export async function findAsset(db: Database, id: string): Promise<AssetRow | null> {
  return (await db.select().from(assets).where(eq(assets.id, id)).get()) ?? null;
}

/** The asset under this symbol, or null. */
export async function findAssetBySymbol(db: Database, symbol: string): Promise<AssetRow | null> {
  return (await db.select().from(assets).where(eq(assets.symbol, symbol)).get()) ?? null;
}

/** Every asset, currencies and allowances included. */
export async function listAssetRows(db: Database): Promise<AssetRow[]> {
  return db.select().from(assets).orderBy(assets.id);
}
