import type { InferenceHealth } from '../../../protocol/inference/wire.ts';
import type { ModelSettings } from '../settings.ts';
import type { FaceEngine, FaceRestorer, Upscaler, WeaponEngine } from './engine.ts';

/** What one worker thread has to work with; null where no model is installed. */
export interface Engines {
  readonly faces: FaceEngine | null;
  readonly weapons: WeaponEngine | null;
  readonly restorer: FaceRestorer | null;
  readonly upscaler: Upscaler | null;
  /** Models that were to be there and are not, each with why. */
  readonly problems: readonly { readonly slot: string; readonly reason: string }[];
}

/** What the module of engines exports that a worker thread is given. */
export type LoadEngines = (settings: ModelSettings) => Promise<Engines>;

export type InstalledModels = InferenceHealth['models'];

export function installedModels({ faces, weapons, restorer, upscaler }: Engines): InstalledModels {
  return {
    faces: faces?.model ?? null,
    weapons: weapons?.model ?? null,
    restoration: restorer?.model ?? null,
    upscaling: upscaler?.model ?? null,
  };
}
