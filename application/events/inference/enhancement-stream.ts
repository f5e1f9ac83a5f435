import type { EnhancementResult } from '../../../protocol/inference/wire.ts';
import { failureOfLine } from './failure-of-answer.ts';
import type { InferenceFailure } from './inference-failure.ts';

/** What comes while an image is enhanced: progress (0..1), and in the end the result with the PNG, or a failure. */
export type EnhancementStream = AsyncIterable<
  | { readonly type: 'progress'; readonly progress: number }
  | { readonly type: 'result'; readonly result: EnhancementResult; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly failure: InferenceFailure }
>;

const NEW_LINE = 0x0a;
/** A line is progress, the head of a result, or an error. */
const LINE_BYTES_MAX = 64 * 1_024;
/** What is sealed lies in memory twice, in an isolate of 128 MB. */
const ENHANCED_BYTES_MAX = 32 * 1_024 * 1_024;

/** Reads `application/x-enhancement` (protocol/inference/wire.ts). A body that is cut off before its end is `unreachable`. */
export async function* readEnhancement(body: ReadableStream<Uint8Array>): EnhancementStream {
  const reader = body.getReader();
  const unread: Uint8Array[] = [];
  let buffered = 0;

  async function more(): Promise<boolean> {
    const { done, value } = await reader.read();
    if (done) return false;
    unread.push(value);
    buffered += value.length;
    return true;
  }

  /** The next bytes, of which that many are buffered. */
  function take(length: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const chunk = unread[0]!;
      const part = chunk.subarray(0, length - at);
      taken.set(part, at);
      at += part.length;
      if (part.length === chunk.length) unread.shift();
      else unread[0] = chunk.subarray(part.length);
    }
    buffered -= length;
    return taken;
  }

  async function line(): Promise<unknown> {
    for (;;) {
      const length = lengthOfLine(unread);
      if (length !== null) return JSON.parse(new TextDecoder().decode(take(length)));
      if (buffered > LINE_BYTES_MAX) throw new SyntaxError('a line without an end');
      if (!(await more())) return null;
    }
  }

  try {
    for (;;) {
      const told = (await line()) as null | { progress?: number } | EnhancementResult;
      if (told === null) return yield { type: 'failed', failure: { reason: 'unreachable' } };
      const failure = failureOfLine(told);
      if (failure !== null) return yield { type: 'failed', failure };
      if (!('byteLength' in told)) {
        yield { type: 'progress', progress: told.progress ?? 0 };
        continue;
      }
      if (told.byteLength > ENHANCED_BYTES_MAX) return yield { type: 'failed', failure: tooLarge(told.byteLength) };
      while (buffered < told.byteLength) {
        if (!(await more())) return yield { type: 'failed', failure: { reason: 'unreachable' } };
      }
      return yield { type: 'result', result: told, png: take(told.byteLength) };
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      return yield { type: 'failed', failure: { reason: 'broken', told: 'no such line' } };
    return yield { type: 'failed', failure: { reason: 'unreachable' } };
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** With its end; null while that has not come. */
function lengthOfLine(chunks: readonly Uint8Array[]): number | null {
  let before = 0;
  for (const chunk of chunks) {
    const at = chunk.indexOf(NEW_LINE);
    if (at >= 0) return before + at + 1;
    before += chunk.length;
  }
  return null;
}

function tooLarge(byteLength: number): InferenceFailure {
  return {
    reason: 'too_large',
    message: 'the enhanced image is too large',
    details: { byte_length: byteLength, byte_length_max: ENHANCED_BYTES_MAX },
  };
}
