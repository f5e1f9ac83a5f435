import type { Failure } from '../failure.ts';

export type TaskResult =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly failure: Failure };
