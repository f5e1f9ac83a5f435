import type { InferSelectModel } from 'drizzle-orm';
import { eq } from 'drizzle-orm';
import type {
  AccreditationType,
  AssetCategory,
  AssetStatus,
  ExecutionRouteName,
  Rail,
  Regulation,
} from '../domain/assets/asset.ts';
import type { Database } from './database.ts';
import { assets } from './schema.ts';

/** What the creator of an asset says; the rest takes its default. */
export interface AssetTerms {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: AssetCategory;
  /** Decimals of a quantity. */
  readonly scale: number;
  readonly createdAt: number;
  readonly rail?: Rail | null;
  readonly exchange?: string | null;
  readonly status?: AssetStatus;
  readonly tradeable?: boolean;
  readonly executionRoute?: ExecutionRouteName | null;
  readonly accreditationType?: AccreditationType | null;
  readonly regulation?: Regulation | null;
  readonly offeringType?: string | null;
  readonly tracksLots?: boolean;
  readonly issuerName?: string | null;
  readonly description?: string | null;
  readonly image?: string;
}

export type AssetRow = InferSelectModel<typeof assets>;

/** Stores an asset; one that stands under this id is left as it is. A symbol of another asset throws. */
export async function createAsset(db: Database, terms: AssetTerms): Promise<void> {
  await db.insert(assets).values(terms).onConflictDoNothing({ target: assets.id });
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
