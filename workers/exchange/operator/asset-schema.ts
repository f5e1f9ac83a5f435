import { z } from '@hono/zod-openapi';
import type { ChangedAsset } from '../../../application/operator/follow-asset-change.ts';
import type { AssetRow } from '../../../data/catalog/assets.ts';
import {
  ACCREDITATION_TYPES,
  ASSET_CATEGORIES,
  ASSET_STATUSES,
  EXECUTION_ROUTE_NAMES,
  RAILS,
  REGULATIONS,
} from '../../../domain/assets/asset.ts';
import { FIRST_STATUSES } from '../../../domain/assets/asset-status.ts';
import { type ListedCategory, RAIL_OF } from '../../../domain/assets/rail-of.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { PRICE_SCALE_WITHOUT_MARKET } from '../../../domain/order-entry/without-market.ts';
import { PendingIds } from '../../responses/cancelled-order-ids.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { Reason } from './operator-route.ts';

/** Ids that people choose. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
export const SLUG_WORDS = 'must be 1 to 64 lower-case letters, digits and dashes, no dash first or last';

export const SYMBOL = /^[A-Z0-9](?:[A-Z0-9.]{0,14}[A-Z0-9])?$/;
export const SYMBOL_WORDS = 'must be 1 to 16 capital letters, digits and dots, no dot first or last';
const CATEGORIES = Object.keys(RAIL_OF) as [ListedCategory, ...ListedCategory[]];
/** 2^53 leaves ten whole digits beside these decimals. */
export const SCALE_MAX = 8;
const LABEL_LENGTH_MAX = 200;
const DESCRIPTION_LENGTH_MAX = 10_000;

const label = lineOfText(LABEL_LENGTH_MAX).nullable();
const image = z.union([z.literal(''), z.url({ protocol: /^https$/ })]).openapi({
  description: 'Address of an image elsewhere; empty for one that is uploaded, or for none.',
});

/** US dollars. */
const referencePrice = z
  .number()
  .positive()
  .refine((price) => toScaled(price, PRICE_SCALE_WITHOUT_MARKET).ok, 'a price has at most four decimals')
  .nullable()
  .openapi({ description: 'Its price in US dollars until it has traded, of an asset without a market of ours.' });

/** What may be edited later. */
const editable = {
  name: lineOfText(LABEL_LENGTH_MAX),
  exchange: label,
  tradeable: z.boolean(),
  accreditationType: z.enum(ACCREDITATION_TYPES).nullable(),
  regulation: z
    .enum(REGULATIONS)
    .nullable()
    .openapi({ description: 'What the asset was offered under; it decides the resale hold.' }),
  offeringType: label,
  issuerName: label,
  issuerAccount: label.openapi({
    description: 'Account that sells the shares of a pre-IPO asset at its listing event.',
  }),
  description: z.string().max(DESCRIPTION_LENGTH_MAX).nullable(),
  image,
  referencePrice,
  executionRoute: z.enum(EXECUTION_ROUTE_NAMES).openapi({ description: 'Where profile A executes.' }),
};

const permanent = {
  symbol: z.string().regex(SYMBOL, SYMBOL_WORDS).openapi({ example: 'ACME' }),
  scale: z.int().min(0).max(SCALE_MAX).openapi({ description: 'Decimals of a quantity.' }),
};

export const AssetRequest = z
  .strictObject({
    id: z.string().regex(SLUG, SLUG_WORDS).optional().openapi({ description: 'A UUID when left out.' }),
    ...permanent,
    category: z.enum(CATEGORIES),
    status: z.enum(FIRST_STATUSES).default('APPROVED'),
    name: editable.name,
    exchange: label.default(null),
    tradeable: editable.tradeable.default(true),
    accreditationType: editable.accreditationType.default(null),
    regulation: editable.regulation.default(null),
    offeringType: label.default(null),
    issuerName: label.default(null),
    issuerAccount: editable.issuerAccount.default(null),
    description: editable.description.default(null),
    image: image.default(''),
    referencePrice: referencePrice.default(null),
    executionRoute: editable.executionRoute.optional().openapi({
      description: 'Where profile A executes; by category when left out.',
    }),
  })
  .openapi('OperatorAssetRequest');

/** What is left out stays as it is. */
export const AssetEdit = z
  .strictObject({ ...z.object(editable).partial().shape, reason: Reason })
  .openapi('OperatorAssetEdit');

export const AssetView = z
  .object({
    id: z.string(),
    marketRail: z.enum(RAILS).nullable(),
    category: z.enum(ASSET_CATEGORIES),
    ...permanent,
    ...editable,
    executionRoute: z.enum(EXECUTION_ROUTE_NAMES).nullable(),
    status: z.enum(ASSET_STATUSES),
    tracksLots: z.boolean(),
    hasUploadedImage: z.boolean(),
  })
  .openapi('OperatorAsset');

export function assetView(asset: AssetRow): z.infer<typeof AssetView> {
  const { rail, createdAt: _, lockupEndsAt: __, imageObject, referencePrice: scaled, ...shown } = asset;
  const referencePrice = scaled === null ? null : fromScaled(scaled, PRICE_SCALE_WITHOUT_MARKET);
  return { ...shown, referencePrice, marketRail: rail, hasUploadedImage: imageObject !== null };
}

/** A reference price that the schema has let through, scaled. */
export function scaledReference(price: number | null): number | null {
  const scaled = price === null ? null : toScaled(price, PRICE_SCALE_WITHOUT_MARKET);
  return scaled?.ok ? scaled.value : null;
}

export const AssetChangeView = z
  .object({
    asset: AssetView,
    markets: z.array(z.string()).openapi({ description: 'Markets whose orders it had an effect on.' }),
    cancelledOrders: z
      .array(z.string())
      .openapi({ description: 'Bids of those who no longer qualify that are cancelled.' }),
    pendingOrderIds: PendingIds,
  })
  .openapi('OperatorAssetChange');

export function assetChangeView({ asset, markets, cancelled }: ChangedAsset): z.infer<typeof AssetChangeView> {
  return {
    asset: assetView(asset),
    markets: [...markets],
    cancelledOrders: [...cancelled.orderIds],
    pendingOrderIds: [...cancelled.pendingOrderIds],
  };
}
