export type TaskKind = 'faces' | 'weapons' | 'enhance';

export interface Job {
  readonly id: number;
  readonly kind: TaskKind;
  /** For whom it is done. */
  readonly tenant: string;
  /** How long it takes, about: in looks of the face detector (`workOf`). */
  readonly work: number;
}

/** Jobs of this much work, and enhancements, are long. */
const LONG_WORK = 8;

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
 * Who works on what. Tenants take turns by the work that was done for them (start-time fair queueing, Goyal et al., 1996): a job is due when
 * its tenant's work before it would be done if every tenant who waits had an equal share; a tenant's own come in their order. Long jobs run
 * on all workers but one at most, which is left to the rest; a single worker takes both. Bookkeeping alone: no thread, no clock.
 */
export class Dispatcher<Worker, Waiting extends Job> {
  readonly #limits: DispatcherLimits;
  readonly #idle: Worker[] = [];
  readonly #running = new Map<Worker, Waiting>();
  /** In the order in which they came. */
  #waiting: Waiting[] = [];
  /** Virtual time: when the job that started last was due. */
  #due = 0;
  /** In virtual time, when what was started for a tenant is done; of those for whom that is not past. */
  readonly #doneAt = new Map<string, number>();

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

  /** Whether a job of this kind would find no place, nor one to take from another tenant. */
  isFull(kind: TaskKind, tenant: string): boolean {
    const crowd = this.#crowd(kind);
    return crowd !== null && toGiveWay(crowd, tenant) === null;
  }

  /**
   * Queues a job. Where all places are taken, the last job of the tenant who has most of them gives way to one of a tenant who has fewer:
   * nobody can fill the queue against the others.
   *
   * @returns what gave way, else null; `refused` where there is no place
   */
  offer(job: Waiting): Waiting | null | 'refused' {
    const crowd = this.#crowd(job.kind);
    const giving = crowd === null ? null : toGiveWay(crowd, job.tenant);
    if (crowd !== null && giving === null) return 'refused';
    if (giving !== null) this.withdraw(giving.id);
    this.#waiting.push(job);
    return giving;
  }

  /** The jobs that have all the places that one of this kind could take; null where one is free. */
  #crowd(kind: TaskKind): readonly Waiting[] | null {
    const { waiting_max } = this.#limits;
    const enhancements = this.#waiting.filter((job) => job.kind === 'enhance');
    if (kind === 'enhance' && enhancements.length >= Math.ceil(waiting_max / 2)) return enhancements;
    return this.#waiting.length >= waiting_max ? this.#waiting : null;
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
    const long = [...this.#running.values()].filter(isLong).length;
    const long_max = Math.max(1, this.#limits.workers - 1);
    const job = this.#firstDue(this.#waiting.filter((waiting) => !isLong(waiting) || long < long_max));
    if (job === null) return null;
    this.withdraw(job.id);
    this.#due = this.#dueOf(job);
    this.#doneAt.set(job.tenant, this.#due + job.work);
    for (const [tenant, at] of this.#doneAt) if (at <= this.#due) this.#doneAt.delete(tenant);
    const worker = this.#idle.shift()!;
    this.#running.set(worker, job);
    return { worker, job };
  }

  #firstDue(jobs: readonly Waiting[]): Waiting | null {
    return jobs.reduce<Waiting | null>(
      (first, job) => (first === null || this.#dueOf(job) < this.#dueOf(first) ? job : first),
      null,
    );
  }

  /** In virtual time. Somebody who did not wait has saved nothing up. */
  #dueOf({ tenant }: Waiting): number {
    return Math.max(this.#due, this.#doneAt.get(tenant) ?? 0);
  }
}

function isLong({ kind, work }: Job): boolean {
  return kind === 'enhance' || work >= LONG_WORK;
}

/** The last job of the tenant who has most places of this crowd; null where the newcomer's tenant would then have as many. */
function toGiveWay<Waiting extends Job>(crowd: readonly Waiting[], newcomer: string): Waiting | null {
  const places = Map.groupBy(crowd, ({ tenant }) => tenant);
  const most = [...places.values()].reduce((larger, jobs) => (jobs.length > larger.length ? jobs : larger));
  return most.length > (places.get(newcomer)?.length ?? 0) + 1 ? most.at(-1)! : null;
}
