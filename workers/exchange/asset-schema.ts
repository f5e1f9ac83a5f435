import { z } from '@hono/zod-openapi';
import type { AssetPrice } from '../../application/market-data/asset-prices.ts';
import type { AssetRow } from '../../data/catalog/assets.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { assetImageUrl } from './asset-image-url.ts';

/** X-ALI-01 to X-ALI-10. */
export const AssetListItem = z
  .object({
    id: z.string(),
    symbol: z.string(),
    name: z.string(),
    type: z.string().openapi({ description: 'Category id.', example: 'stocks' }),
    exchange: z.string().nullable(),
    status: z.string().openapi({ example: 'APPROVED' }),
    price: z.number(),
    change: z
      .number()
      .openapi({ description: 'Since the close of the day before, as its source has it; UTC for what trades here.' }),
    changesPercentage: z.number(),
    image: z.url(),
    stale: z.boolean().openapi({
      description:
        'The source of the prices is away: this is what it said last, or where it has said nothing what last traded here.',
    }),
  })
  .openapi('AssetListItem');

/** An asset with what it costs. */
export function assetListItem(c: AppContext, asset: AssetRow, price: AssetPrice): z.infer<typeof AssetListItem> {
  const { quote, scales, isStale } = price;
  return {
    id: asset.id,
    symbol: asset.symbol,
    name: asset.name,
    type: asset.category,
    exchange: asset.exchange,
    status: asset.status,
    price: fromScaled(quote.last, scales.price),
    change: fromScaled(quote.change, scales.price),
    changesPercentage: quote.changePercent,
    image: assetImageUrl(c, asset),
    stale: isStale,
  };
}
