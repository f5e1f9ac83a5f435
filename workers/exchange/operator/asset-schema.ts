import { z } from '@hono/zod-openapi';
import type { ListedAsset } from '../../../application/operator/list-asset.ts';
import { ACCREDITATION_TYPES, ASSET_STATUSES, EXECUTION_ROUTE_NAMES, RAILS } from '../../../domain/assets/asset.ts';
import { type ListedCategory, RAIL_OF } from '../../../domain/assets/rail-of.ts';

/** Ids that people choose. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

const SYMBOL = /^[A-Z0-9](?:[A-Z0-9.]{0,14}[A-Z0-9])?$/;
const CATEGORIES = Object.keys(RAIL_OF) as [ListedCategory, ...ListedCategory[]];
/** 2^53 leaves ten whole digits beside these decimals. */
export const SCALE_MAX = 8;
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

export function assetView({ rail, createdAt: _, ...listed }: ListedAsset): z.infer<typeof AssetView> {
  return { ...listed, marketRail: rail };
}
