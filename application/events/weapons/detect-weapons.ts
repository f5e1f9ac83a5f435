import { err, type Result } from '../../../domain/result.ts';
import type { WeaponAnalysis } from '../../../protocol/inference/wire.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { takeQuota } from '../quotas/take-quota.ts';
import { type Refusal, refusal, refusalOfInference } from '../refusal.ts';

/** Weapons that an image shows. */
export async function detectWeapons(
  env: Env,
  caller: EventsCaller,
  image: Blob,
): Promise<Result<WeaponAnalysis, Refusal>> {
  const counted = await takeQuota(env, caller.tenant, { weapon_images: 1 });
  if (!counted.ok) return counted;
  const bytes = await imageBytesOf(image);
  if (!bytes.ok) return err(refusal(bytes.error));
  const analysis = await inferenceClient(env, caller).weapons(bytes.value);
  return analysis.ok ? analysis : err(refusalOfInference(analysis.error));
}
