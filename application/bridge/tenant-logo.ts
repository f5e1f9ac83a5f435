import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findTenant, stateTenantLogo } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { imageTypeOf } from '../../domain/events/image-type.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';

type LogoEnv = Pick<Env, 'DB' | 'ASSET_IMAGES'>;

export const LOGO_BYTES_MAX = 512 * 1_024;

/** The image of a tenant; null where it has none. */
export async function readTenantLogo(
  env: LogoEnv,
  hostname: string,
): Promise<{ readonly body: ReadableStream; readonly contentType: string } | null> {
  const tenant = await findTenant(database(env.DB), hostname);
  if (tenant?.logoObject == null) return null;
  const object = await env.ASSET_IMAGES.get(tenant.logoObject);
  if (object === null) return null;
  return { body: object.body, contentType: object.httpMetadata?.contentType ?? 'application/octet-stream' };
}

/** Gives a tenant a logo. It is stored under its own hash before the tenant names it; the one before stays in the bucket. */
export async function uploadTenantLogo(
  env: LogoEnv,
  { hostname, image }: { readonly hostname: string; readonly image: ArrayBuffer },
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const type = imageTypeOf(new Uint8Array(image));
  if (type === null) return err(apiError('UNSUPPORTED_MEDIA_TYPE', 'a PNG, JPEG or WebP image'));
  const logoObject = `bridge-tenants/${await sha256Hex(image)}`;
  await env.ASSET_IMAGES.put(logoObject, image, { httpMetadata: { contentType: type } });
  const isStated = await stateTenantLogo(database(env.DB), { hostname, logoObject, now: Date.now() }, action);
  return isStated ? ok(null) : err(apiError('NOT_FOUND', 'no tenant has this hostname'));
}
