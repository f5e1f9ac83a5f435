import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A path below MODELS_DIR, and nowhere else. */
const path = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/, 'a relative path of letters, digits, dots, dashes and underscores')
  .refine((text) => !text.split('/').some((part) => part === '..' || part === '.'), 'a path that stays in its folder');
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower case hex');
const triple = z.tuple([z.number(), z.number(), z.number()]);
const side = z.int().min(8).max(4_096);

/** What a model is called and may be used for. */
const provenance = {
  name: z.string().min(1).max(100),
  /** SPDX identifier, or the licence's own name. */
  licence: z.string().min(1),
  /** Whether the licence of the weights, in all its parts, allows commercial use. */
  commercialUse: z.boolean(),
  source: z.string().optional(),
};
const oneFile = { file: path, sha256 };

/** How pixels enter a network: `(value - mean) / std` of 0..255, channels in this order. */
const input = z.strictObject({
  width: side,
  height: side,
  mean: triple.default([0, 0, 0]),
  std: triple.refine((values) => values.every((value) => value > 0)).default([1, 1, 1]),
  order: z.enum(['rgb', 'bgr']).default('rgb'),
});
const strides = z.array(z.int().min(1).max(128)).min(1).max(6);
const probability = z.number().min(0).max(1);

const faceDetector = z.strictObject({
  ...provenance,
  ...oneFile,
  input,
  output: z.discriminatedUnion('decoder', [
    /** Distances of the box's sides and of five points from the anchors of a cell, in strides (InsightFace's SCRFD). */
    z.strictObject({
      decoder: z.literal('scrfd'),
      strides,
      anchorsPerCell: z.int().min(1).max(8),
      /** Scores by stride, then boxes, then points; by default the model's outputs in their order. */
      names: z.array(z.string()).optional(),
    }),
    /** Centres, logarithmic sizes and five points relative to a cell, by outputs `cls_8`, `obj_8`, `bbox_8`, `kps_8` … (OpenCV's YuNet). */
    z.strictObject({ decoder: z.literal('yunet'), strides }),
  ]),
  confidenceMin: probability.default(0.5),
});

const faceEmbedding = z.strictObject({
  ...provenance,
  ...oneFile,
  /** 112 × 112 as ArcFace aligns it, whatever the network's own side. */
  input,
  dimensions: z.int().min(2).max(4_096),
});

const weaponClass = z.enum(['Weapon', 'Knife', 'Gun']);
/** What the model calls a thing, and which weapon that is; what is not named here is no weapon. */
const labels = z.record(z.string(), weaponClass).refine((map) => Object.keys(map).length > 0, 'at least one label');
const folder = {
  /** A model as the Hugging Face hub lays it out: config.json, preprocessor_config.json, onnx/ … */
  folder: path,
  /** SHA-256 of every file of the folder, by its path in it. */
  files: z.record(path, sha256),
  /** Which of the folder's model files: fp32 is onnx/model.onnx. */
  dtype: z.enum(['fp32', 'fp16', 'q8', 'q4']).default('fp32'),
};
const weaponDetector = z.discriminatedUnion('task', [
  z.strictObject({ ...provenance, ...folder, task: z.literal('object-detection'), labels, confidenceMin: probability }),
  z.strictObject({
    ...provenance,
    ...folder,
    task: z.literal('zero-shot-object-detection'),
    /** What is asked for, such as "a knife". */
    labels,
    confidenceMin: probability,
  }),
  z.strictObject({
    ...provenance,
    ...oneFile,
    task: z.literal('yolo'),
    input,
    /** `v8`: [1, 4 + classes, n]; `v5`: [1, n, 5 + classes], with the confidence that anything is there. */
    layout: z.enum(['v5', 'v8']),
    classes: z.array(z.string()).min(1),
    labels,
    confidenceMin: probability,
    overlapMax: probability.default(0.5),
  }),
]);

const faceRestoration = z.strictObject({
  ...provenance,
  ...oneFile,
  /** A square face as FFHQ aligns it. */
  input,
  /** `value · std + mean` of the network's output is 0..255; the channels' order is the input's. */
  output: z.strictObject({ mean: triple, std: triple }),
  /** Name of an input that takes the fidelity itself; it is blended in any case. */
  fidelityInput: z.string().optional(),
});

const upscaler = z.strictObject({
  ...provenance,
  ...oneFile,
  scale: z.union([z.literal(2), z.literal(4)]),
  mean: triple.default([0, 0, 0]),
  std: triple.default([255, 255, 255]),
  order: z.enum(['rgb', 'bgr']).default('rgb'),
  /** Side of a tile that the network is given, and how far it sees beyond a pixel. */
  tile: z.int().min(16).max(2_048).default(256),
  margin: z.int().min(0).max(128).default(16),
});

const SLOTS = { faceDetector, faceEmbedding, weaponDetector, faceRestoration, upscaler } as const;

export type Slot = keyof typeof SLOTS;
export type FaceDetectorModel = z.infer<typeof faceDetector>;
export type FaceEmbeddingModel = z.infer<typeof faceEmbedding>;
export type WeaponDetectorModel = z.infer<typeof weaponDetector>;
export type YoloModel = Extract<WeaponDetectorModel, { task: 'yolo' }>;
export type TransformersModel = Exclude<WeaponDetectorModel, { task: 'yolo' }>;
export type FaceRestorationModel = z.infer<typeof faceRestoration>;
export type UpscalerModel = z.infer<typeof upscaler>;

/** Why a slot has no model though one is described. */
export interface SlotProblem {
  readonly slot: string;
  readonly reason: string;
}

export interface ModelsFile {
  /** The embedded engine takes the face slots when neither is described. */
  readonly embeddedFaces: boolean;
  readonly slots: { readonly [Name in Slot]?: z.infer<(typeof SLOTS)[Name]> };
  /** Slots whose description is wrong: they stay without a model. */
  readonly problems: readonly SlotProblem[];
}

const head = z.looseObject({ faces: z.literal('embedded').optional() });

/** Reads MODELS_DIR/models.json. Throws when there is none, or it is no JSON object; a wrong slot is a problem of that slot. */
export function readModelsFile(modelsFolder: string): ModelsFile {
  const { faces, ...described } = head.parse(JSON.parse(readFileSync(join(modelsFolder, 'models.json'), 'utf8')));
  const problems: SlotProblem[] = [];
  const slots: Record<string, unknown> = {};
  for (const [slot, description] of Object.entries(described)) {
    if (!(slot in SLOTS)) {
      problems.push({ slot, reason: `there is no such slot; there are ${Object.keys(SLOTS).join(', ')}` });
      continue;
    }
    const read = SLOTS[slot as Slot].safeParse(description);
    if (read.success) slots[slot] = read.data;
    else problems.push({ slot, reason: `models.json: ${z.prettifyError(read.error)}` });
  }
  return { embeddedFaces: faces === 'embedded', slots: slots as ModelsFile['slots'], problems };
}
