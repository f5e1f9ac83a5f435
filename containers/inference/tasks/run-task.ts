import { err, ok } from '../../../domain/result.ts';
import type { Engines } from '../engine/engines.ts';
import { type Failure, failure } from '../failure.ts';
import { decodeImage, type ImageLimits } from '../images/decode-image.ts';
import type { Task } from '../pool/messages.ts';
import { analyzeFaces } from './analyze-faces.ts';
import { detectWeapons } from './detect-weapons.ts';
import { enhanceImage } from './enhance-image.ts';
import type { TaskResult } from './task-result.ts';

/** Does one task on the bytes of a photo. `progress` hears 0..1 and may throw to end it. */
export async function runTask(
  engines: Engines,
  limits: ImageLimits,
  task: Task,
  bytes: Uint8Array,
  progress: (done: number) => void,
): Promise<TaskResult> {
  const missing = missingModel(engines, task);
  if (missing !== null) return err(missing);
  const decoded = await decodeImage(bytes, limits);
  if (!decoded.ok) return decoded;
  switch (task.kind) {
    case 'faces':
      return ok(json(await analyzeFaces(engines.faces!, decoded.value, task.embed)));
    case 'weapons':
      return ok(json(await detectWeapons(engines.weapons!, decoded.value)));
    case 'enhance':
      return enhanceImage(engines, decoded.value, task, limits, progress);
  }
}

/** A photo is not judged by a model that is not there: that is said before it is looked at. */
function missingModel({ faces, weapons, upscaler }: Engines, task: Task): Failure | null {
  switch (task.kind) {
    case 'faces':
      return faces === null ? unavailable('faces') : null;
    case 'weapons':
      return weapons === null ? unavailable('weapons') : null;
    case 'enhance':
      return task.upscale > 1 && upscaler === null ? unavailable('upscaling') : null;
  }
}

function unavailable(task: string): Failure {
  return failure('MODEL_UNAVAILABLE', `no model for ${task} is installed`, { task });
}

function json(answer: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(answer));
}
