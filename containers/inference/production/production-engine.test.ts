import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FaceAnalysis, InferenceHealth, WeaponAnalysis } from '../../../protocol/inference/wire.ts';
import { decodeImage } from '../images/decode-image.ts';
import { readSettings } from '../settings.ts';
import { type InferenceServer, startServer } from '../start-server.ts';
import {
  blueRestorer,
  colourEmbedding,
  DETECTOR_SIDE,
  owlVitDetector,
  repeatingUpscaler,
  scrfdDetector,
  WORDS,
  yolosDetector,
  yoloV8Detector,
} from '../test/tiny-models.ts';
import { loadProductionEngines } from './load-production-engines.ts';

process.env.LOG_LEVEL = 'error';
// Models take long to load on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });
const SECRET = 'a secret of the test';
const RED = { r: 230, g: 20, b: 20 };
const GREEN = { r: 20, g: 220, b: 30 };
const OLIVE_GREEN = { r: 110, g: 240, b: 10 };
const BLUE = { r: 20, g: 30, b: 230 };

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder of models as an operator would mount it. */
function modelsFolder(models: object, files: Readonly<Record<string, Uint8Array | string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  folders.push(folder);
  for (const [path, content] of Object.entries({ ...files, 'models.json': JSON.stringify(models) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const free = { licence: 'MIT', commercialUse: true };
const unit = { mean: [0, 0, 0], std: [255, 255, 255] };
const signed = { mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5] };

const faceModels = (detector = scrfdDetector(), embedding = colourEmbedding()) => ({
  files: { 'faces/detector.onnx': detector, 'faces/embedding.onnx': embedding },
  slots: {
    faceDetector: {
      ...free,
      name: 'green rectangles',
      file: 'faces/detector.onnx',
      sha256: sha256(detector),
      input: { width: DETECTOR_SIDE, height: DETECTOR_SIDE, ...unit },
      output: { decoder: 'scrfd', strides: [8, 16], anchorsPerCell: 2 },
    },
    faceEmbedding: {
      ...free,
      name: 'colours',
      file: 'faces/embedding.onnx',
      sha256: sha256(embedding),
      input: { width: 112, height: 112, ...unit },
      dimensions: 48,
    },
  },
});

function yolosModel(files = yolosFiles()) {
  return {
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [`weapons/${path}`, content])),
    slots: {
      weaponDetector: {
        ...free,
        task: 'object-detection',
        name: 'coloured weapons',
        folder: 'weapons',
        files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)])),
        labels: { 'kitchen knife': 'Knife', pistol: 'Gun' },
        confidenceMin: 0.5,
      },
    },
  };
}

function yolosFiles(): Record<string, Uint8Array | string> {
  return {
    'config.json': JSON.stringify({
      model_type: 'yolos',
      architectures: ['YolosForObjectDetection'],
      id2label: { 0: 'kitchen knife', 1: 'pistol' },
      label2id: { 'kitchen knife': 0, pistol: 1 },
    }),
    'preprocessor_config.json': JSON.stringify({
      image_processor_type: 'YolosImageProcessor',
      do_resize: true,
      size: { height: DETECTOR_SIDE, width: DETECTOR_SIDE },
      do_rescale: true,
      rescale_factor: 1 / 255,
      do_normalize: false,
      do_pad: false,
    }),
    'onnx/model.onnx': yolosDetector(),
  };
}

/** A grey picture with coloured rectangles on it. */
function picture(
  width: number,
  height: number,
  ...boxes: { left: number; top: number; width: number; height: number; colour: object }[]
) {
  return sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .composite(
      boxes.map(({ left, top, width, height, colour }) => ({
        input: { create: { width, height, channels: 3, background: colour } },
        left,
        top,
      })),
    )
    .png()
    .toBuffer();
}

function serve(folder: string): Promise<InferenceServer> {
  const environment = {
    INFERENCE_SECRET: SECRET,
    HOST: '127.0.0.1',
    PORT: '0',
    WORKERS: '1',
    ENGINE: 'production',
    MODELS_DIR: folder,
  };
  return startServer(readSettings(environment));
}

const near = (actual: readonly number[], expected: readonly number[], by: number) => {
  expect(actual).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(Math.abs(actual[at]! - value)).toBeLessThanOrEqual(by);
};

describe('the production engine over HTTP', () => {
  let server: InferenceServer;
  const post = async (path: string, image: Buffer) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: { 'x-inference-secret': SECRET },
      body: new Uint8Array(image),
    });
  const answer = async <Answer>(path: string, image: Buffer) => (await (await post(path, image)).json()) as Answer;

  beforeAll(async () => {
    const faces = faceModels();
    const weapons = yolosModel();
    const restorer = blueRestorer();
    const upscaler = repeatingUpscaler();
    const folder = modelsFolder(
      {
        ...faces.slots,
        ...weapons.slots,
        faceRestoration: {
          ...free,
          name: 'blue faces',
          file: 'restorer.onnx',
          sha256: sha256(restorer),
          input: { width: 64, height: 64, ...signed },
          output: signed,
        },
        upscaler: {
          ...free,
          name: 'repetition',
          file: 'upscaler.onnx',
          sha256: sha256(upscaler),
          scale: 2,
          tile: 32,
          margin: 4,
        },
      },
      { ...faces.files, ...weapons.files, 'restorer.onnx': restorer, 'upscaler.onnx': upscaler },
    );
    server = await serve(folder);
    await server.ready;
  });
  afterAll(() => server.drain());

  it('has the models that are installed', async () => {
    const health = (await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).json()) as InferenceHealth;
    expect(health.models).toEqual({
      faces: { name: 'colours', version: sha256(colourEmbedding()).slice(0, 16), dimensions: 48 },
      weapons: 'coloured weapons',
      restoration: 'blue faces',
      upscaling: 'repetition',
    });
  });

  it('finds a weapon where it is, under its class, and none where there is none', async () => {
    const image = await picture(
      320,
      160,
      { left: 40, top: 20, width: 80, height: 60, colour: RED },
      { left: 200, top: 50, width: 100, height: 80, colour: BLUE },
    );
    const { model, detections } = await answer<WeaponAnalysis>('/v1/weapons', image);
    expect(model).toBe('coloured weapons');
    const byClass = Object.fromEntries(detections.map((detection) => [detection.class, detection]));
    expect(Object.keys(byClass).toSorted()).toEqual(['Gun', 'Knife']);
    near(byClass.Knife!.bbox, [40, 20, 120, 80], 6);
    near(byClass.Gun!.bbox, [200, 50, 300, 130], 6);
    expect(byClass.Knife!.confidence).toBeGreaterThan(0.9);
    expect((await answer<WeaponAnalysis>('/v1/weapons', await picture(320, 160))).detections).toEqual([]);
  });

  it('finds a face where it is, in photos larger than its input, with one vector a person', async () => {
    const face = (left: number, colour: object, width = 400, height = 300) =>
      picture(width, height, { left, top: 60, width: 120, height: 160, colour });
    const one = await answer<FaceAnalysis>('/v1/faces?embed=largest', await face(60, GREEN));
    expect(one.faces).toHaveLength(1);
    const [found] = one.faces;
    near(found!.bbox, [60, 60, 180, 220], 8);
    expect(found!.quality.face_size).toBeGreaterThan(105);
    expect(Math.abs(found!.quality.yaw)).toBeLessThan(8);
    expect(found!.quality.blur).toBeGreaterThan(0.5);
    const again = await answer<FaceAnalysis>('/v1/faces?embed=largest', await face(230, GREEN));
    const other = await answer<FaceAnalysis>('/v1/faces?embed=largest', await face(60, OLIVE_GREEN));
    const [a, b, c] = [one, again, other].map(({ faces }) => vectorOf(faces[0]!.embedding));
    expect(Math.hypot(...a!)).toBeCloseTo(1, 5);
    expect(cosine(a!, b!)).toBeGreaterThan(0.999);
    expect(cosine(a!, c!)).toBeLessThan(0.98);
  });

  it('makes no vector for a face that breaks a quality rule', async () => {
    const image = await picture(400, 300, { left: 60, top: 60, width: 120, height: 160, colour: GREEN });
    const { faces } = await answer<FaceAnalysis>('/v1/faces?embed=qualified', image);
    expect(faces).toHaveLength(1);
    expect(faces[0]!.embedding).toBeNull();
  });

  it('restores faces as far as fidelity lets it, and upscales everything', async () => {
    const image = await picture(200, 200, { left: 50, top: 40, width: 100, height: 120, colour: GREEN });
    const middle = async (fidelity: number) => {
      const response = await post(`/v1/enhance?upscale=2&fidelity=${fidelity}`, image);
      const { result, png } = await enhancement(response);
      expect(result).toMatchObject({
        original: { width: 200, height: 200 },
        enhanced: { width: 400, height: 400 },
        faceRestoration: 'applied',
        upscaler: 'repetition',
      });
      const { data } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
      const pixel = (x: number, y: number) => [...data.subarray((y * 400 + x) * 3, (y * 400 + x) * 3 + 3)];
      near(pixel(4, 4), [128, 128, 128], 1);
      return pixel(200, 210);
    };
    near(await middle(1), [20, 220, 30], 1);
    near(await middle(0), [0, 0, 255], 2);
    near(await middle(0.5), [10, 110, 143], 2);
  });

  it('upscales four times by a network for two', async () => {
    const { result, png } = await enhancement(await post('/v1/enhance?upscale=4', await picture(60, 40)));
    expect(result).toMatchObject({ enhanced: { width: 240, height: 160 }, faceRestoration: 'no_face' });
    expect(await sharp(png).metadata()).toMatchObject({ width: 240, height: 160 });
  });
});

describe('a weapon detector that is asked in words', () => {
  it('finds what it is asked for, mapped onto the classes', async () => {
    const files = {
      'config.json': JSON.stringify({ model_type: 'owlvit', architectures: ['OwlViTForObjectDetection'] }),
      'preprocessor_config.json': JSON.stringify({
        image_processor_type: 'OwlViTImageProcessor',
        do_resize: true,
        size: { height: DETECTOR_SIDE, width: DETECTOR_SIDE },
        do_center_crop: false,
        do_rescale: true,
        do_normalize: false,
      }),
      'tokenizer_config.json': JSON.stringify({
        tokenizer_class: 'CLIPTokenizer',
        pad_token: '<pad>',
        model_max_length: 16,
      }),
      'tokenizer.json': JSON.stringify({
        version: '1.0',
        added_tokens: [],
        normalizer: null,
        pre_tokenizer: { type: 'WhitespaceSplit' },
        post_processor: null,
        decoder: null,
        model: { type: 'WordLevel', vocab: WORDS, unk_token: '<unknown>' },
      }),
      'onnx/model.onnx': owlVitDetector(),
    };
    const folder = modelsFolder(
      {
        weaponDetector: {
          ...free,
          task: 'zero-shot-object-detection',
          name: 'asked in words',
          folder: 'weapons/asked',
          files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, sha256(content)])),
          // Two of the words are for one weapon.
          labels: { 'a gun': 'Gun', 'a knife': 'Knife', knife: 'Knife' },
          confidenceMin: 0.5,
        },
      },
      Object.fromEntries(Object.entries(files).map(([path, content]) => [`weapons/asked/${path}`, content])),
    );
    const { problems, weapons } = await load(folder);
    expect(problems).toEqual([]);
    const image = await decoded(await picture(256, 128, { left: 40, top: 24, width: 60, height: 80, colour: RED }));
    const [found, ...others] = await weapons!.detect(image);
    expect(others).toEqual([]);
    expect(found!.class).toBe('Knife');
    near(found!.bbox, [40, 24, 100, 104], 6);
  });
});

describe('a weapon detector of a single file', () => {
  it('is read as YOLOv8 writes it', async () => {
    const detector = yoloV8Detector();
    const folder = modelsFolder(
      {
        weaponDetector: {
          ...free,
          task: 'yolo',
          layout: 'v8',
          name: 'coloured weapons',
          file: 'yolo.onnx',
          sha256: sha256(detector),
          input: { width: DETECTOR_SIDE, height: DETECTOR_SIDE, ...unit },
          classes: ['blade', 'toy'],
          labels: { blade: 'Knife' },
          confidenceMin: 0.5,
        },
      },
      { 'yolo.onnx': detector },
    );
    const { weapons } = await load(folder);
    const image = await picture(
      256,
      128,
      { left: 40, top: 24, width: 60, height: 80, colour: RED },
      { left: 160, top: 20, width: 60, height: 80, colour: BLUE },
    );
    const detections = await weapons!.detect(await decoded(image));
    // The toy is no weapon.
    expect(detections.map((detection) => detection.class)).toEqual(['Knife']);
    near(detections[0]!.bbox, [40, 24, 100, 104], 5);
  });
});

describe('a slot stays without a model', () => {
  const unavailable = async (folder: string, slot: string) => {
    const engines = await load(folder);
    const problem = engines.problems.find((candidate) => candidate.slot === slot);
    return { engines, reason: problem?.reason ?? '' };
  };

  it('whose file is missing', async () => {
    const { slots } = yolosModel();
    const { engines, reason } = await unavailable(modelsFolder(slots), 'weaponDetector');
    expect(engines.weapons).toBeNull();
    expect(reason).toContain('weapons/config.json is missing');
  });

  it('whose file is not the one that was hashed', async () => {
    const { files, slots } = faceModels();
    const folder = modelsFolder(slots, { ...files, 'faces/embedding.onnx': scrfdDetector() });
    const { engines, reason } = await unavailable(folder, 'faceEmbedding');
    expect(engines.faces).toBeNull();
    expect(reason).toContain(sha256(scrfdDetector()));
  });

  it('whose folder holds a file that nobody hashed', async () => {
    const { files, slots } = yolosModel();
    const folder = modelsFolder(slots, { ...files, 'weapons/tokenizer.json': '{}' });
    expect((await unavailable(folder, 'weaponDetector')).reason).toContain(
      'weapons/tokenizer.json is not in models.json',
    );
  });

  it('whose file is no model', async () => {
    const { slots } = faceModels(Buffer.from('no model'));
    const files = { 'faces/detector.onnx': 'no model', 'faces/embedding.onnx': colourEmbedding() };
    const { engines, reason } = await unavailable(modelsFolder(slots, files), 'faceDetector');
    expect(engines.faces).toBeNull();
    expect(reason).not.toBe('');
  });

  it.each([
    { licence: 'CC-BY-NC-4.0' },
    { licence: 'InsightFace, non-commercial research only' },
    { commercialUse: false },
  ])('whose licence forbids commercial use, unless that is allowed: %o', async (terms) => {
    const { files, slots } = yolosModel();
    const folder = modelsFolder({ weaponDetector: { ...slots.weaponDetector, ...terms } }, files);
    const { engines, reason } = await unavailable(folder, 'weaponDetector');
    expect(engines.weapons).toBeNull();
    expect(reason).toContain('ALLOW_NONCOMMERCIAL_MODELS=1');
    expect((await load(folder, true)).weapons?.model).toBe('coloured weapons');
  });

  it('that is described wrongly, or reaches out of the folder', async () => {
    const { files, slots } = faceModels();
    const detector = { ...slots.faceDetector, file: '../detector.onnx' };
    const { engines, reason } = await unavailable(
      modelsFolder({ ...slots, faceDetector: detector }, files),
      'faceDetector',
    );
    expect(engines.faces).toBeNull();
    expect(reason).toContain('file');
    const misspelt = await unavailable(modelsFolder({ weaponsDetector: {} }), 'weaponsDetector');
    expect(misspelt.reason).toContain('there is no such slot');
  });

  it('of two that need each other, when only one is described', async () => {
    const { files, slots } = faceModels();
    const folder = modelsFolder({ faces: 'embedded', faceDetector: slots.faceDetector }, files);
    const { engines, reason } = await unavailable(folder, 'faceDetector');
    expect(engines.faces).toBeNull();
    expect(reason).toContain('both');
  });

  it('that is an upscaler and wrong: the embedded one does not take its place, as it does for one that is not described', async () => {
    expect((await load(modelsFolder({ upscaler: { name: 'x' } }))).upscaler).toBeNull();
    expect((await load(modelsFolder({}))).upscaler?.model).toBe('esrgan-slim');
  });
});

describe('without a description of face models', () => {
  it('there are no faces, or those of the embedded engine where models.json says so', async () => {
    expect((await load(modelsFolder({}))).faces).toBeNull();
    expect((await load(modelsFolder({ faces: 'embedded' }))).faces?.model.name).toBe('mobilefacenet');
  });
});

function load(folder: string, allowNonCommercial = false) {
  return loadProductionEngines(folder, {
    engine: 'production',
    device: 'cpu',
    modelsFolder: folder,
    allowNonCommercial,
    embedding: 'mobilefacenet',
    threadsPerModel: 1,
  });
}

async function decoded(image: Buffer) {
  const result = await decodeImage(image, { side_min: 16, pixels_max: 1e6, enhanced_pixels_max: 1e6 });
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function vectorOf(base64: string | null): number[] {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

/** The last line of an enhancement and the image behind it. */
async function enhancement(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  const start = body.indexOf(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const result = JSON.parse(body.subarray(0, start).toString().trim().split('\n').at(-1) ?? '') as object;
  return { result, png: body.subarray(start) };
}
