import { availableParallelism } from 'node:os';
import { type Environment, parseSettings, type SettingsReader } from '../process/parse-settings.ts';
import { EMBEDDERS, type EmbedderName } from './faces/embedding/face-embedder.ts';
import type { ImageLimits } from './images/decode-image.ts';

const ENGINES = ['embedded', 'production'] as const;
const DEVICES = ['cpu', 'cuda'] as const;

type EngineName = (typeof ENGINES)[number];
export type Device = (typeof DEVICES)[number];

/** Which models a worker thread loads, and how they run. Crosses to the thread as it is. */
export interface ModelSettings {
  readonly engine: EngineName;
  readonly device: Device;
  /** Of the embedded faces. */
  readonly embedding: EmbedderName;
  /** Holds models.json and what it names; the production engine needs it. */
  readonly modelsFolder: string | null;
  readonly allowNonCommercial: boolean;
  /** Threads within one run of an ONNX model, so that all workers together use the machine once. */
  readonly threadsPerModel: number;
}

/** How the inference service runs. */
export interface Settings {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly secret: string;
  readonly workers: number;
  /** Requests that wait for a worker. */
  readonly queue_max: number;
  /** How long a request may wait, and a worker may show no sign of life. */
  readonly timeout_ms: number;
  /** How long requests may go on after SIGTERM. */
  readonly drain_ms: number;
  readonly body_bytes_max: number;
  readonly limits: ImageLimits;
  readonly models: ModelSettings;
}

const PORT_DEFAULT = 8_790;
const SECRET_LENGTH_MIN = 16;
const WORKERS_MAX = 256;
/** A GPU runs one model at a time; the second worker decodes meanwhile. */
const CUDA_WORKERS_DEFAULT = 2;
const QUEUE_PER_WORKER = 16;
const TIMEOUT_MS_DEFAULT = 30_000;
const DRAIN_MS_DEFAULT = 60_000;
/** docs/design/faces-and-galleries.md#image-limits */
const BODY_BYTES_MAX = 10 * 1_024 * 1_024;
const SIDE_MIN = 16;
const IMAGE_PIXELS_DEFAULT = 40_000_000;
const ENHANCE_PIXELS_DEFAULT = 50_000_000;

/**
 * Reads HOST, PORT, INFERENCE_SECRET, WORKERS, QUEUE_MAX, REQUEST_TIMEOUT_MS, DRAIN_MS, IMAGE_PIXELS_MAX (of a decoded photo),
 * ENHANCE_PIXELS_MAX (of an enhanced one), ENGINE, FACE_EMBEDDING, MODELS_DIR, DEVICE, ALLOW_NONCOMMERCIAL_MODELS and MODEL_THREADS.
 */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => {
    const secret = from.text('INFERENCE_SECRET', '');
    if (secret.length < SECRET_LENGTH_MIN)
      from.refuse(`INFERENCE_SECRET is not set, or shorter than ${SECRET_LENGTH_MIN} characters`);
    const models = {
      engine: from.oneOf('ENGINE', ENGINES),
      device: from.oneOf('DEVICE', DEVICES),
      embedding: from.oneOf('FACE_EMBEDDING', EMBEDDERS),
    };
    const modelsFolder = from.optional('MODELS_DIR');
    if (models.engine === 'production' && modelsFolder === null)
      from.refuse('ENGINE=production needs MODELS_DIR: the folder of models.json and the models');
    const cores = availableParallelism();
    const workers = from.wholeNumber('WORKERS', {
      otherwise: models.device === 'cuda' ? CUDA_WORKERS_DEFAULT : cores,
      min: 1,
      max: WORKERS_MAX,
    });
    return {
      host: from.text('HOST', '0.0.0.0'),
      port: from.port('PORT', PORT_DEFAULT),
      secret,
      workers,
      queue_max: from.wholeNumber('QUEUE_MAX', { otherwise: workers * QUEUE_PER_WORKER, min: 1, max: 100_000 }),
      timeout_ms: from.wholeNumber('REQUEST_TIMEOUT_MS', { otherwise: TIMEOUT_MS_DEFAULT, min: 1, max: 3_600_000 }),
      drain_ms: from.wholeNumber('DRAIN_MS', { otherwise: DRAIN_MS_DEFAULT, max: 3_600_000 }),
      body_bytes_max: BODY_BYTES_MAX,
      limits: imageLimits(from),
      models: {
        ...models,
        modelsFolder,
        allowNonCommercial: from.flag('ALLOW_NONCOMMERCIAL_MODELS'),
        threadsPerModel: from.wholeNumber('MODEL_THREADS', {
          otherwise: Math.max(1, Math.floor(cores / workers)),
          min: 1,
          max: 256,
        }),
      },
    };
  });
}

function imageLimits(from: SettingsReader): ImageLimits {
  const min = SIDE_MIN * SIDE_MIN;
  return {
    side_min: SIDE_MIN,
    pixels_max: from.wholeNumber('IMAGE_PIXELS_MAX', { otherwise: IMAGE_PIXELS_DEFAULT, min, max: 1_000_000_000 }),
    enhanced_pixels_max: from.wholeNumber('ENHANCE_PIXELS_MAX', {
      otherwise: ENHANCE_PIXELS_DEFAULT,
      min,
      max: 500_000_000,
    }),
  };
}
