import type { Failure } from '../failure.ts';
import type { Job, TaskKind } from './dispatcher.ts';
import type { Task } from './messages.ts';

export type Outcome =
  | { readonly is: 'done'; readonly body: Uint8Array }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** Its client went away. */
  | { readonly is: 'abandoned' };

export interface Submission {
  readonly task: Task;
  /** For whom; places and workers are shared between tenants. */
  readonly tenant: string;
  /** `workOf` the task. */
  readonly work: number;
  /** Moved to the worker: not to be read afterwards. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
}

/** A submitted task, and the clock that runs while it waits or a worker is on it. */
export class PendingTask implements Job {
  readonly id: number;
  readonly submission: Submission;
  readonly #outcome = Promise.withResolvers<Outcome>();
  #timer: NodeJS.Timeout | undefined;
  #leave: (() => void) | null = null;

  constructor(id: number, submission: Submission) {
    this.id = id;
    this.submission = submission;
  }

  get kind(): TaskKind {
    return this.submission.task.kind;
  }

  get tenant(): string {
    return this.submission.tenant;
  }

  get work(): number {
    return this.submission.work;
  }

  get outcome(): Promise<Outcome> {
    return this.#outcome.promise;
  }

  /** Calls `act` when the client goes away before the task is settled. */
  whenClientLeaves(act: () => void): void {
    this.#leave = act;
    this.submission.signal.addEventListener('abort', act);
  }

  /** Calls `act` after a time in which there was no sign of life, in place of what was to be called before. */
  expireIn(wait_ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, wait_ms);
  }

  isAlive(): void {
    this.#timer?.refresh();
  }

  settle(outcome: Outcome): void {
    clearTimeout(this.#timer);
    this.#answer(outcome);
  }

  fail(failure: Failure): void {
    this.settle({ is: 'failed', failure });
  }

  /** Nobody waits for it any more. Its clock goes on: a worker that is on it may still be stuck. */
  abandon(): void {
    this.#answer({ is: 'abandoned' });
  }

  #answer(outcome: Outcome): void {
    if (this.#leave !== null) this.submission.signal.removeEventListener('abort', this.#leave);
    this.#outcome.resolve(outcome);
  }
}
