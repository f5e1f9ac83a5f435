import type { EnhancementProgress } from '../../../protocol/inference/wire.ts';
import type { Failure } from '../failure.ts';
import type { Submission } from '../pool/pending-task.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { answerFailure } from './answer-failure.ts';

/** A line for each hundredth at most. */
const PROGRESS_STEP = 0.01;

/**
 * Answers with lines of progress, then what the worker made of the photo. The head is held back until the photo has been decoded and work
 * on it has begun, so that what fails before has a status of its own; a later failure is a line `{error}`.
 */
export function streamEnhancement(
  pool: WorkerPool,
  submission: Omit<Submission, 'progress'>,
  onFailure: (failed: Failure) => void,
): Promise<Response> {
  return new Promise((resolve) => {
    const left = new AbortController();
    const encoder = new TextEncoder();
    let told = Number.NEGATIVE_INFINITY;
    let stream: ReadableStreamDefaultController<Uint8Array> | null = null;

    const begin = (): ReadableStreamDefaultController<Uint8Array> => {
      if (stream !== null) return stream;
      let begun: ReadableStreamDefaultController<Uint8Array> | null = null;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          begun = controller;
        },
        cancel: () => left.abort(),
      });
      resolve(new Response(body, { headers: { 'content-type': 'application/x-enhancement' } }));
      stream = begun!;
      return stream;
    };

    const say = (line: EnhancementProgress | { readonly error: Failure }) => {
      if (!left.signal.aborted) begin().enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
    };

    const progress = (done: number) => {
      if (done < told + PROGRESS_STEP && done < 1) return;
      told = done;
      say({ progress: done });
    };

    const finish = async () => {
      const signal = AbortSignal.any([submission.signal, left.signal]);
      const outcome = await pool.submit({ ...submission, signal, progress });
      if (outcome.is === 'failed') onFailure(outcome.failure);
      if (outcome.is === 'failed' && stream === null) return resolve(answerFailure(outcome.failure));
      if (outcome.is === 'failed') say({ error: outcome.failure });
      if (outcome.is === 'done' && !left.signal.aborted) begin().enqueue(outcome.body);
      if (!left.signal.aborted) begin().close();
    };
    void finish();
  });
}
