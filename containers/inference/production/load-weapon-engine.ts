import type { WeaponDetection } from '../../../protocol/inference/wire.ts';
import type { RgbImage, WeaponEngine } from '../engine/engine.ts';
import { ImagePyramid } from '../faces/images/image-pyramid.ts';
import { sampleCrop } from '../faces/images/sample-crop.ts';
import { openSession, type SessionTerms } from '../onnx/open-session.ts';
import { runModel } from '../onnx/run-model.ts';
import { decodeYolo } from './decode-yolo.ts';
import type { TransformersModel, WeaponDetectorModel, YoloModel } from './models-file.ts';
import { suppressOverlaps } from './suppress-overlaps.ts';
import { verifiedFile, verifyFolder } from './verified-file.ts';

/** Weapons by the installed detector, whose labels are mapped onto Weapon, Knife and Gun. Throws when it is missing or another. */
export async function loadWeaponEngine(
  model: WeaponDetectorModel,
  modelsFolder: string,
  terms: SessionTerms,
): Promise<WeaponEngine> {
  if (model.task === 'yolo') return yolo(model, await verifiedFile(modelsFolder, model.file, model.sha256), terms);
  await verifyFolder(modelsFolder, model.folder, model.files);
  return transformers(model, modelsFolder, terms);
}

async function yolo(model: YoloModel, file: Uint8Array, terms: SessionTerms): Promise<WeaponEngine> {
  const unknown = Object.keys(model.labels).filter((label) => !model.classes.includes(label));
  if (unknown.length > 0) throw new Error(`labels of no class: ${unknown.join(', ')}`);
  const session = await openSession(file, terms);
  return {
    model: model.name,
    async detect(image) {
      const { width, height } = model.input;
      const scale = Math.max(image.width / width, image.height / height);
      const toImage = { a: scale, b: 0, tx: 0, ty: 0 };
      const shape = { width, height, outside: 'black', detail: 'smooth' } as const;
      const letterbox = sampleCrop(new ImagePyramid(image), toImage, shape);
      const output = await runModel(session, letterbox, model.input);
      const { values } = output(session.outputNames[0]!);
      const things = decodeYolo(values, { ...model, classes: model.classes.length });
      return things.flatMap((thing) => {
        const [x1, y1, x2, y2] = thing.bbox;
        const label = model.classes[thing.class]!;
        return weapon(model, image, {
          label,
          confidence: thing.confidence,
          box: [x1 * scale, y1 * scale, x2 * scale, y2 * scale],
        });
      });
    },
  };
}

async function transformers(
  model: TransformersModel,
  modelsFolder: string,
  terms: SessionTerms,
): Promise<WeaponEngine> {
  // Loaded here, because it takes half a second that an engine without it need not wait for.
  const { env, pipeline, RawImage } = await import('@huggingface/transformers');
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = modelsFolder;
  env.useFSCache = false;
  const options = {
    device: terms.device,
    dtype: model.dtype,
    local_files_only: true,
    session_options: { intraOpNumThreads: terms.threads, interOpNumThreads: 1 },
  } as const;
  const asRaw = ({ data, width, height }: RgbImage) => new RawImage(data, width, height, 3);
  const threshold = model.confidenceMin;
  if (model.task === 'object-detection') {
    const detect = await pipeline('object-detection', model.folder, options);
    return {
      model: model.name,
      async detect(image) {
        const things = await detect(asRaw(image), { threshold });
        return weapons(model, image, things);
      },
    };
  }
  const detect = await pipeline('zero-shot-object-detection', model.folder, options);
  const asked = Object.keys(model.labels);
  return {
    model: model.name,
    async detect(image) {
      const things = await detect(asRaw(image), asked, { threshold });
      return weapons(model, image, things);
    },
  };
}

/** Boxes of one class that share more than this, intersection over union, are one weapon. */
const OVERLAP_MAX = 0.5;

interface PipelineThing {
  readonly label: string;
  readonly score: number;
  readonly box: { readonly xmin: number; readonly ymin: number; readonly xmax: number; readonly ymax: number };
}

/** One weapon may be found under several labels: as a handgun and as a rifle. */
function weapons(model: TransformersModel, image: RgbImage, things: readonly PipelineThing[]): WeaponDetection[] {
  const found = things.flatMap(({ label, score, box }) =>
    weapon(model, image, { label, confidence: score, box: [box.xmin, box.ymin, box.xmax, box.ymax] }),
  );
  return suppressOverlaps(found, OVERLAP_MAX);
}

interface Thing {
  readonly label: string;
  readonly confidence: number;
  readonly box: readonly [number, number, number, number];
}

/** None where the label stands for no weapon. */
function weapon(
  { labels }: Pick<WeaponDetectorModel, 'labels'>,
  { width, height }: RgbImage,
  { label, confidence, box: [x1, y1, x2, y2] }: Thing,
): WeaponDetection[] {
  const name = labels[label];
  if (name === undefined) return [];
  const bbox = [Math.max(0, x1), Math.max(0, y1), Math.min(width, x2), Math.min(height, y2)] as const;
  return [{ class: name, confidence, bbox }];
}
