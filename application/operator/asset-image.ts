import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { deleteUnreferencedImages, putAssetImage } from '../../data/catalog/asset-images.ts';
import { type AssetRow, changeAsset, findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { imageTypeOf } from '../../domain/events/image-type.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { noSuchAsset } from './not-found.ts';

export const ASSET_IMAGE_BYTES_MAX = 512 * 1_024;

/** Gives an asset an image of its own, in place of an address elsewhere. The same image again changes nothing. */
export async function uploadAssetImage(
  env: Env,
  { id, image }: { readonly id: string; readonly image: ArrayBuffer },
  action: OperatorAction,
): Promise<Result<AssetRow, ApiError>> {
  const db = database(env.DB);
  const asset = await findAsset(db, id);
  if (asset?.rail == null) return err(noSuchAsset());
  const type = imageTypeOf(new Uint8Array(image));
  if (type === null) return err(apiError('UNSUPPORTED_MEDIA_TYPE', 'a PNG, JPEG or WebP image'));
  const hash = await sha256Hex(image);
  if (asset.image === '' && asset.imageObject?.endsWith(`/${hash}`)) return ok(asset);
  const now = Date.now();
  const upload = { assetId: id, actionId: action.id, hash, type, image, now };
  const imageObject = await putAssetImage({ db, bucket: env.ASSET_IMAGES }, upload);
  const change = {
    asset,
    change: { image: '', imageObject },
    type: 'operator.asset_image',
    reason: 'upload',
    now,
  };
  if (!(await changeAsset(db, change, action)))
    return err(apiError('CONFLICT', 'the asset has changed meanwhile: send the image again'));
  return ok((await findAsset(db, id)) ?? asset);
}

/** Hourly: deletes images that assets have had. What is left over waits for the next hour. */
export async function sweepAssetImages(env: Env): Promise<void> {
  await deleteUnreferencedImages(database(env.DB), env.ASSET_IMAGES, Date.now());
}
