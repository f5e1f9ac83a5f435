import { loadEmbeddedFaceEngine } from '../faces/embedded-face-engine.ts';
import { loadProductionEngines } from '../production/load-production-engines.ts';
import type { ModelSettings } from '../settings.ts';
import { loadEsrganUpscaler } from '../upscaling/esrgan-upscaler.ts';
import type { Engines } from './engines.ts';

/** The models of one worker thread: those that npm packages carry, or those that an operator installed. */
export async function loadEngines(settings: ModelSettings): Promise<Engines> {
  const { device, embedding, engine, modelsFolder, threadsPerModel } = settings;
  if (engine === 'production') {
    if (modelsFolder === null) throw new Error('the production engine needs a folder of models');
    return loadProductionEngines(modelsFolder, settings);
  }
  return {
    faces: await loadEmbeddedFaceEngine(embedding),
    weapons: null,
    restorer: null,
    upscaler: await loadEsrganUpscaler({ device, threads: threadsPerModel }),
    problems: [],
  };
}
