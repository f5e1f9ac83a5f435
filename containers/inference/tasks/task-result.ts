import type { Result } from '../../../domain/result.ts';
import type { Failure } from '../failure.ts';

/** The body of the answer. */
export type TaskResult = Result<Uint8Array, Failure>;
