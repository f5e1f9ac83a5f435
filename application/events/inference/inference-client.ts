import { err, ok, type Result } from '../../../domain/result.ts';
import type {
  EmbeddingChoice,
  EmbeddingModel,
  FaceAnalysis,
  InferenceHealth,
  WeaponAnalysis,
} from '../../../protocol/inference/wire.ts';
import type { EventsCaller } from '../events-caller.ts';
import { type EnhancementStream, readEnhancement } from './enhancement-stream.ts';
import { failureOfAnswer } from './failure-of-answer.ts';
import type { InferenceFailure } from './inference-failure.ts';
import { reachInference } from './reach-inference.ts';

type Inferred<T> = Result<T, InferenceFailure>;

interface EnhancementTerms {
  /** 0..1. */
  readonly fidelity: number;
  readonly upscale: number;
}

/** The models, wherever they run (protocol/inference/wire.ts). Calls have no effect there, so they may be repeated. */
export interface InferenceClient {
  faces(image: Uint8Array<ArrayBuffer>, embed: EmbeddingChoice): Promise<Inferred<FaceAnalysis>>;
  weapons(image: Uint8Array<ArrayBuffer>): Promise<Inferred<WeaponAnalysis>>;
  enhance(image: Uint8Array<ArrayBuffer>, terms: EnhancementTerms): Promise<Inferred<EnhancementStream>>;
  /** Null when it cannot be reached. */
  health(): Promise<InferenceHealth | null>;
}

const ANALYSIS_MS_MAX = 60_000;
const ENHANCEMENT_MS_MAX = 10 * 60_000;
const HEALTH_MS_MAX = 5_000;
/** Before the one repetition of a call whose container went away. */
const REPEAT_AFTER_MS = 250;

export function inferenceClient(env: Env, caller: EventsCaller): InferenceClient {
  const reach = reachInference(env, caller);

  async function once(path: string, image: Uint8Array<ArrayBuffer>, msMax: number): Promise<Inferred<Response>> {
    try {
      const response = await reach(path, { method: 'POST', body: image, signal: AbortSignal.timeout(msMax) });
      return response.ok ? ok(response) : err(await failureOfAnswer(response));
    } catch (error) {
      return err({ reason: isTimeout(error) ? 'timeout' : 'unreachable' });
    }
  }

  async function analyze<T>(path: string, image: Uint8Array<ArrayBuffer>): Promise<Inferred<T>> {
    const response = await once(path, image, ANALYSIS_MS_MAX);
    if (!response.ok) return response;
    try {
      return ok((await response.value.json()) as T);
    } catch (error) {
      return err({ reason: isTimeout(error) ? 'timeout' : 'unreachable' });
    }
  }

  async function analyzeOrRepeat<T>(path: string, image: Uint8Array<ArrayBuffer>): Promise<Inferred<T>> {
    const first = await analyze<T>(path, image);
    if (first.ok || first.error.reason !== 'unreachable') return first;
    await scheduler.wait(REPEAT_AFTER_MS);
    return analyze<T>(path, image);
  }

  return {
    faces: (image, embed) => analyzeOrRepeat(`/v1/faces?embed=${embed}`, image),
    weapons: (image) => analyzeOrRepeat('/v1/weapons', image),
    async enhance(image, { fidelity, upscale }) {
      const path = `/v1/enhance?fidelity=${fidelity}&upscale=${upscale}`;
      const response = await once(path, image, ENHANCEMENT_MS_MAX);
      if (!response.ok) return response;
      const { body } = response.value;
      return body === null ? err({ reason: 'broken', told: 'no body' }) : ok(readEnhancement(body));
    },
    async health() {
      try {
        const response = await reach('/healthz', { signal: AbortSignal.timeout(HEALTH_MS_MAX) });
        return (await response.json()) as InferenceHealth;
      } catch {
        return null;
      }
    },
  };
}

/** The model that embeds faces now; null when it cannot be asked or has none. */
export async function currentModel(client: InferenceClient): Promise<EmbeddingModel | null> {
  return (await client.health())?.models.faces ?? null;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
