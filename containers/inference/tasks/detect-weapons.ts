import type { WeaponAnalysis } from '../../../protocol/inference/wire.ts';
import type { RgbImage, WeaponEngine } from '../engine/engine.ts';

/** Every weapon of a photo, as the installed model sees it. */
export async function detectWeapons(engine: WeaponEngine, image: RgbImage): Promise<WeaponAnalysis> {
  return { model: engine.model, detections: await engine.detect(image) };
}
