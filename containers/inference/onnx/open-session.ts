import { InferenceSession } from 'onnxruntime-node';
import type { Device } from '../settings.ts';

export interface SessionTerms {
  readonly device: Device;
  /** Threads within one run. */
  readonly threads: number;
}

const ERRORS_ONLY = 3;

/** Loads an ONNX model from a file's path or its bytes. Throws when it is no model that the runtime understands. */
export function openSession(model: string | Uint8Array, { device, threads }: SessionTerms): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: device === 'cuda' ? ['cuda', 'cpu'] : ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: ERRORS_ONLY,
  };
  return typeof model === 'string' ? InferenceSession.create(model, options) : InferenceSession.create(model, options);
}
