import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { AssetCategory, AssetStatus } from '../../domain/assets/asset.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { caseVariants } from '../case-variants.ts';
import { changeOnce } from '../change-once.ts';
import { columnOf } from '../column-of.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { unreferenced } from './asset-images.ts';
import { assetInUse } from './asset-in-use.ts';
import { awaitsMarkets } from './pending-asset-changes.ts';

/** What the creator of an asset says; the rest takes its default. */
export type AssetTerms = Readonly<Pick<AssetRow, StatedOfAsset> & Partial<Omit<AssetRow, StatedOfAsset>>>;

/** What an operator's listing says: everything but the image that is uploaded and the lock-up that is stated later. */
export type ListingTerms = Omit<Required<AssetTerms>, 'imageObject' | 'lockupEndsAt'>;

type StatedOfAsset = 'id' | 'symbol' | 'name' | 'category' | 'scale' | 'createdAt';

export type AssetRow = typeof assets.$inferSelect;

/** Stores an asset; one that stands under this id is left as it is. A symbol of another asset throws. */
export async function createAsset(db: Database, terms: AssetTerms): Promise<void> {
  await db.insert(assets).values(terms).onConflictDoNothing({ target: assets.id });
}

/** Stores an asset for an operator, written down; false where the id or the symbol is taken. */
export function registerAsset(db: Database, terms: ListingTerms, action: OperatorAction): Promise<boolean> {
  const { id, symbol, name, category, rail, exchange, status, scale, executionRoute } = terms;
  const { accreditationType, regulation, offeringType, issuerName, issuerAccount, description, image, createdAt } =
    terms;
  return createOnce(db, {
    action,
    type: 'operator.asset_created',
    subject: id,
    after: { ...terms },
    now: createdAt,
    conflict: sql`SELECT 1 FROM assets WHERE id = ${id} OR symbol = ${symbol}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO assets (id, symbol, name, category, rail, exchange, status, scale, tradeable, execution_route,
                              accreditation_type, regulation, offering_type, tracks_lots, issuer_name, issuer_account, description, image, reference_price,
                              created_at)
          SELECT ${id}, ${symbol}, ${name}, ${category}, ${rail}, ${exchange}, ${status}, ${scale}, ${terms.tradeable ? 1 : 0},
                 ${executionRoute}, ${accreditationType}, ${regulation}, ${offeringType}, ${terms.tracksLots ? 1 : 0},
                 ${issuerName}, ${issuerAccount}, ${description}, ${image}, ${terms.referencePrice}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
}

/** The asset under this id, or null. */
export async function findAsset(db: Database, id: string): Promise<AssetRow | null> {
  return (await db.select().from(assets).where(eq(assets.id, id)).get()) ?? null;
}

/** Those of these assets that are there. */
export async function findAssets(db: Database, ids: readonly string[]): Promise<AssetRow[]> {
  return db
    .select()
    .from(assets)
    .where(sql`${assets.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Decimals of these assets, of those that are there. */
export async function scalesOfAssets(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: assets.id, scale: assets.scale })
    .from(assets)
    .where(sql`${assets.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  return new Map(rows.map(({ id, scale }) => [id, scale]));
}

/** The asset under this symbol, or null. */
export async function findAssetBySymbol(db: Database, symbol: string): Promise<AssetRow | null> {
  return (await db.select().from(assets).where(eq(assets.symbol, symbol)).get()) ?? null;
}

/** Every asset, currencies and allowances included. */
export async function listAssetRows(db: Database): Promise<AssetRow[]> {
  return db.select().from(assets).orderBy(assets.id);
}

/** What an operator may change of a listed asset; its symbol, category and scale are for good. */
export type EditableAsset = Pick<AssetRow, (typeof EDITABLE_FIELDS)[number]>;

const EDITABLE_FIELDS = [
  'name',
  'exchange',
  'status',
  'tradeable',
  'executionRoute',
  'accreditationType',
  'regulation',
  'offeringType',
  'issuerName',
  'issuerAccount',
  'description',
  'image',
  'imageObject',
  'referencePrice',
  'lockupEndsAt',
] as const;

export interface AssetChange {
  /** As it was read: the change takes place while it stands so. */
  readonly asset: AssetRow;
  readonly change: Partial<EditableAsset>;
  /** E.g. `operator.asset_changed`. */
  readonly type: string;
  readonly reason: string;
  /** Whether its markets have to follow: kept until they have (pending-asset-changes.ts). */
  readonly awaited?: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Changes an asset for an operator, written down with what it was; false when it has changed since it was read, or would get another regulation
 * while it is in use.
 */
export function changeAsset(
  db: Database,
  { asset, change, type, reason, awaited = false, now }: AssetChange,
  action: OperatorAction,
): Promise<boolean> {
  const fields = EDITABLE_FIELDS.filter((field) => change[field] !== undefined);
  const columns = EDITABLE_FIELDS.map((field) => sql`${assets[field]} IS ${bound(asset[field])}`);
  const set = fields.map((field) => sql`${sql.identifier(columnOf(field))} = ${bound(change[field] ?? null)}`);
  const values = (row: Partial<EditableAsset>) => Object.fromEntries(fields.map((field) => [field, row[field]]));
  const mayChange = isOtherRegulation(asset, change) ? sql`NOT ${assetInUse(asset.id)}` : sql`TRUE`;
  return changeOnce(db, {
    action,
    type,
    subject: asset.id,
    details: { reason },
    before: values(asset),
    after: values(change),
    now,
    when: sql`EXISTS (SELECT 1 FROM assets WHERE id = ${asset.id} AND ${sql.join(columns, sql` AND `)}) AND ${mayChange}`,
    writes: (takesPlace) => [
      sql`UPDATE assets SET ${sql.join(set, sql`, `)} WHERE id = ${asset.id} AND ${takesPlace}`,
      ...imageWrites(asset, change, now, takesPlace),
      ...(awaited ? [awaitsMarkets({ action, asset: asset.id, now }, takesPlace)] : []),
    ],
  });
}

/** The image that an asset now names is taken off those to be deleted, and the one that it has named is put there. */
function imageWrites(
  { imageObject: before }: Pick<AssetRow, 'imageObject'>,
  { imageObject: after }: Partial<EditableAsset>,
  now: number,
  takesPlace: SQL,
): SQL[] {
  if (after === undefined || after === before) return [];
  return [
    ...(before === null ? [] : [unreferenced(before, now, takesPlace)]),
    ...(after === null ? [] : [sql`DELETE FROM unreferenced_images WHERE object = ${after} AND ${takesPlace}`]),
  ];
}

/** What lots that name no offering were sold under, and which purchases were under Regulation Crowdfunding, follows from the regulation. */
export function isOtherRegulation(
  { regulation }: Pick<AssetRow, 'regulation'>,
  change: Partial<Pick<AssetRow, 'regulation'>>,
): boolean {
  return change.regulation !== undefined && change.regulation !== regulation;
}

/** D1 takes no booleans. */
function bound(value: string | number | boolean | null): string | number | null {
  return typeof value === 'boolean' ? Number(value) : value;
}

/** What a list of assets is narrowed to; null for any. */
interface VenueAssetFilter {
  readonly status: AssetStatus | null;
  readonly category: AssetCategory | null;
  /** Stands in the name, or begins the symbol, whatever the case. */
  readonly search: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Listed assets in every state by symbol, after the last one of the page before. */
export function listAssetsInEveryState(
  db: Database,
  { status, category, search, after, limit }: VenueAssetFilter,
): Promise<AssetRow[]> {
  const names = JSON.stringify(caseVariants(search ?? ''));
  const symbol = search?.toUpperCase() ?? '';
  const conditions: (SQL | undefined)[] = [
    isNotNull(assets.rail),
    status === null ? undefined : eq(assets.status, status),
    category === null ? undefined : eq(assets.category, category),
    search === null
      ? undefined
      : sql`(EXISTS (SELECT 1 FROM json_each(${names}) WHERE instr(lower(${assets.name}), lower(value)) > 0)
               OR substr(upper(${assets.symbol}), 1, length(${symbol})) = ${symbol})`,
    after === null ? undefined : gt(assets.symbol, after),
  ];
  return db
    .select()
    .from(assets)
    .where(and(...conditions))
    .orderBy(asc(assets.symbol))
    .limit(limit);
}
