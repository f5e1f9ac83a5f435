import { z } from '@hono/zod-openapi';
import type { AssetTerms } from '../../../data/catalog/assets.ts';
import { ACCREDITATION_TYPES, ASSET_STATUSES, EXECUTION_ROUTE_NAMES, RAILS } from '../../../domain/assets/asset.ts';
import { CATEGORIES_WITH_LOTS, type ListedCategory, RAIL_OF, ROUTE_OF } from '../../../domain/assets/rail-of.ts';

/** Ids that people choose. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

const SYMBOL = /^[A-Z0-9](?:[A-Z0-9.]{0,14}[A-Z0-9])?$/;
const CATEGORIES = Object.keys(RAIL_OF) as [ListedCategory, ...ListedCategory[]];
/** 2^53 leaves ten whole digits beside these decimals. */
const SCALE_MAX = 8;
const LABEL_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 10_000;

const label = z.string().trim().min(1).max(LABEL_LENGTH_MAX).nullable().default(null);

const assetFields = {
  symbol: z.string().regex(SYMBOL).openapi({ example: 'ACME' }),
  name: z.string().trim().min(1).max(LABEL_LENGTH_MAX),
  category: z.enum(CATEGORIES),
  exchange: label,
  status: z.enum(ASSET_STATUSES).default('APPROVED'),
  scale: z.int().min(0).max(SCALE_MAX).openapi({ description: 'Decimals of a quantity.' }),
  tradeable: z.boolean().default(true),
  accreditationType: z.enum(ACCREDITATION_TYPES).nullable().default(null),
  regulation: z
    .enum(['reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s', 'reg_a', 'retail'])
    .nullable()
    .default(null)
    .openapi({ description: 'What the asset was offered under; it decides the resale hold.' }),
  offeringType: label,
  issuerName: label,
  description: z.string().max(DESCRIPTION_LENGTH_MAX).nullable().default(null),
  image: z.union([z.literal(''), z.url({ protocol: /^https$/ })]).default(''),
};

export const AssetRequest = z
  .object({
    id: z.string().regex(SLUG).optional().openapi({ description: 'A UUID when left out.' }),
    ...assetFields,
    executionRoute: z.enum(EXECUTION_ROUTE_NAMES).optional().openapi({
      description: 'Where profile A executes; by category when left out.',
    }),
  })
  .strict()
  .openapi('OperatorAssetRequest');

export const AssetView = z
  .object({
    id: z.string(),
    marketRail: z.enum(RAILS),
    ...assetFields,
    executionRoute: z.enum(EXECUTION_ROUTE_NAMES),
    tracksLots: z.boolean(),
  })
  .openapi('OperatorAsset');

/** An asset with what follows from its category, as the ledger keeps it and as it is answered. */
export function assetOf(body: z.infer<typeof AssetRequest>, fallbackId: string, now: number) {
  const { id = fallbackId, executionRoute = ROUTE_OF[body.category], ...fields } = body;
  const derived = { id, executionRoute, tracksLots: CATEGORIES_WITH_LOTS.has(body.category) };
  const rail = RAIL_OF[body.category];
  const terms: Required<AssetTerms> = { ...fields, ...derived, rail, createdAt: now };
  const view: z.infer<typeof AssetView> = { ...fields, ...derived, marketRail: rail };
  return { terms, view };
}
