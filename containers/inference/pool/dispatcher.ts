export type TaskKind = 'faces' | 'weapons' | 'enhance';

export interface Job {
  readonly id: number;
  readonly kind: TaskKind;
}

export interface DispatcherLimits {
  /** Worker threads when all of them live. */
  readonly workers: number;
  /** Jobs that wait; enhancements may take half of these places. */
  readonly waiting_max: number;
}

export interface Assignment<Worker, Waiting extends Job> {
  readonly worker: Worker;
  readonly job: Waiting;
}

/**
 * Who works on what: first come, first served, except that enhancements, which are long, run on all workers but one at most, which is
 * left to the rest; a single worker takes both. Bookkeeping alone: no thread, no clock.
 */
export class Dispatcher<Worker, Waiting extends Job> {
  readonly #limits: DispatcherLimits;
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Waiting>();
  #waiting: Waiting[] = [];

  constructor(limits: DispatcherLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running.size;
  }

  get workers(): number {
    return this.#idle.length + this.#running.size;
  }

  /** Whether a job of this kind would find no place. */
  isFull(kind: TaskKind): boolean {
    const { waiting_max } = this.#limits;
    if (this.#waiting.length >= waiting_max) return true;
    return kind === 'enhance' && count(this.#waiting, 'enhance') >= Math.ceil(waiting_max / 2);
  }

  /** Queues a job; false when there is no place for it. */
  offer(job: Waiting): boolean {
    if (this.isFull(job.kind)) return false;
    this.#waiting.push(job);
    return true;
  }

  /** A worker that has nothing to do. */
  add(worker: Worker): void {
    this.#idle.push(worker);
  }

  /** Takes a worker out for good; the job that it was on, if any, is not tried again. */
  remove(worker: Worker): Waiting | null {
    const job = this.#running.get(worker) ?? null;
    this.#running.delete(worker);
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    return job;
  }

  /** The worker is done with its job and waits for another. */
  finish(worker: Worker): Waiting | null {
    const job = this.#running.get(worker) ?? null;
    if (job !== null) {
      this.#running.delete(worker);
      this.#idle.push(worker);
    }
    return job;
  }

  /** Gives up a waiting job's place; false when it waits no more. */
  withdraw(id: number): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((job) => job.id !== id);
    return this.#waiting.length < before;
  }

  /** What the worker is on; null when it has nothing to do. */
  jobOf(worker: Worker): Waiting | null {
    return this.#running.get(worker) ?? null;
  }

  /** Which worker has the job; null when none has. */
  workerOf(id: number): Worker | null {
    for (const [worker, job] of this.#running) if (job.id === id) return worker;
    return null;
  }

  /** The next job and the worker for it, which runs it from now on; null when nothing can start. */
  next(): Assignment<Worker, Waiting> | null {
    if (this.#idle.length === 0) return null;
    const enhancements = count([...this.#running.values()], 'enhance');
    const enhancements_max = Math.max(1, this.#limits.workers - 1);
    const at = this.#waiting.findIndex(({ kind }) => kind !== 'enhance' || enhancements < enhancements_max);
    const job = this.#waiting[at];
    if (job === undefined) return null;
    this.#waiting.splice(at, 1);
    const worker = this.#idle.shift()!;
    this.#running.set(worker, job);
    return { worker, job };
  }
}

function count(jobs: readonly Job[], kind: TaskKind): number {
  return jobs.filter((job) => job.kind === kind).length;
}
