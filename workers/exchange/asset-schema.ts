import { z } from '@hono/zod-openapi';
import type { AssetRow } from '../../data/catalog/assets.ts';
import { priceTerms } from '../../domain/assets/price-terms.ts';
import { type DayBar, dayQuote } from '../../domain/charts/day-quote.ts';
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
    change: z.number().openapi({ description: 'Since the close of the day before, UTC.' }),
    changesPercentage: z.number(),
    image: z.url(),
  })
  .openapi('AssetListItem');

/** An asset with its last price, from the two latest daily bars of its market, latest first. */
export function assetListItem(
  c: AppContext,
  asset: AssetRow,
  market: { readonly priceScale: number; readonly referencePrice: number | null } | null,
  bars: readonly DayBar[],
  now: number,
): z.infer<typeof AssetListItem> {
  const { scale, reference } = priceTerms(asset, market);
  const quote = dayQuote(bars, null, reference, now);
  return {
    id: asset.id,
    symbol: asset.symbol,
    name: asset.name,
    type: asset.category,
    exchange: asset.exchange,
    status: asset.status,
    price: fromScaled(quote.last, scale),
    change: fromScaled(quote.change, scale),
    changesPercentage: quote.changePercent,
    image: assetImageUrl(c, asset),
  };
}
