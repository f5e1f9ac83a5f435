import type { AssetRow } from '../../data/catalog/assets.ts';
import type { AppContext } from '../middleware/app-env.ts';

/** Where the image of an asset is: elsewhere if it says so, else under the address that this request came to. */
export function assetImageUrl(c: AppContext, { id, image }: Pick<AssetRow, 'id' | 'image'>): string {
  if (image !== '') return image;
  const { origin, pathname } = new URL(c.req.url);
  return `${origin}${pathname.slice(0, pathname.indexOf('/v1/'))}/v1/assets/${encodeURIComponent(id)}/image`;
}
