import type { FaceEngine } from '../engine/engine.ts';
import type { Engines } from '../engine/engines.ts';
import { loadEmbeddedFaceEngine } from '../faces/embedded-face-engine.ts';
import type { SessionTerms } from '../onnx/open-session.ts';
import type { ModelSettings } from '../settings.ts';
import { loadEsrganUpscaler } from '../upscaling/esrgan-upscaler.ts';
import { isNonCommercial } from './is-non-commercial.ts';
import { loadFaceEngine } from './load-face-engine.ts';
import { loadFaceRestorer } from './load-face-restorer.ts';
import { loadUpscaler } from './load-upscaler.ts';
import { loadWeaponEngine } from './load-weapon-engine.ts';
import { type ModelsFile, readModelsFile, type Slot, type SlotProblem } from './models-file.ts';
import { verifiedFile } from './verified-file.ts';

/**
 * The models that MODELS_DIR/models.json describes. A slot whose model is missing, not the one that was hashed, or under a licence that
 * was not allowed stays empty and is named in `problems`: nothing takes its place. Only where an upscaler is not described at all the
 * embedded one upscales. Throws when there is no models.json.
 */
export async function loadProductionEngines(
  modelsFolder: string,
  { allowNonCommercial, device, embedding, threadsPerModel }: ModelSettings,
): Promise<Engines> {
  const models = readModelsFile(modelsFolder);
  const problems: SlotProblem[] = [...models.problems];
  const terms: SessionTerms = { device, threads: threadsPerModel };
  const { faceDetector, faceEmbedding, faceRestoration, upscaler, weaponDetector } = models.slots;

  const load = async <Engine>(slot: Slot, make: () => Promise<Engine>): Promise<Engine | null> => {
    const model = models.slots[slot]!;
    try {
      if (isNonCommercial(model) && !allowNonCommercial)
        throw new Error(
          `${model.name} is under ${model.licence}, which ALLOW_NONCOMMERCIAL_MODELS=1 would have to allow`,
        );
      return await make();
    } catch (error) {
      problems.push({ slot, reason: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };
  const fileOf = (model: { readonly file: string; readonly sha256: string }) =>
    verifiedFile(modelsFolder, model.file, model.sha256);

  const loadFaces = async (): Promise<FaceEngine | null> => {
    if (faceDetector === undefined || faceEmbedding === undefined) {
      const described = describedFaceSlots(models);
      if (described.length === 0) return models.embeddedFaces ? loadEmbeddedFaceEngine(embedding) : null;
      problems.push({ slot: described[0]!, reason: 'faces need faceDetector and faceEmbedding, both of them' });
      return null;
    }
    const detectorFile = await load('faceDetector', () => fileOf(faceDetector));
    const embeddingFile = await load('faceEmbedding', () => fileOf(faceEmbedding));
    if (detectorFile === null || embeddingFile === null) return null;
    const found = { detector: faceDetector, detectorFile, embedding: faceEmbedding, embeddingFile };
    return load('faceDetector', () => loadFaceEngine(found, terms));
  };

  return {
    faces: await loadFaces(),
    weapons:
      weaponDetector === undefined
        ? null
        : await load('weaponDetector', () => loadWeaponEngine(weaponDetector, modelsFolder, terms)),
    restorer:
      faceRestoration === undefined
        ? null
        : await load('faceRestoration', async () =>
            loadFaceRestorer(faceRestoration, await fileOf(faceRestoration), terms),
          ),
    upscaler:
      upscaler !== undefined
        ? await load('upscaler', async () => loadUpscaler(upscaler, await fileOf(upscaler), terms))
        : models.problems.some(({ slot }) => slot === 'upscaler')
          ? null
          : await loadEsrganUpscaler(terms),
    problems,
  };
}

/** Rightly or wrongly. */
function describedFaceSlots({ slots, problems }: ModelsFile): Slot[] {
  return (['faceDetector', 'faceEmbedding'] as const).filter(
    (slot) => slots[slot] !== undefined || problems.some((problem) => problem.slot === slot),
  );
}
