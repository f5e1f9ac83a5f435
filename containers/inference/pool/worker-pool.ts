import type { InstalledModels } from '../engine/engines.ts';
import { type Failure, failure } from '../failure.ts';
import { log } from '../log.ts';
import { Dispatcher, type TaskKind } from './dispatcher.ts';
import type { MessageFromWorker, WorkerTerms } from './messages.ts';
import { type ModelThread, startModelThread } from './model-thread.ts';
import { type Outcome, PendingTask, type Submission } from './pending-task.ts';

export interface PoolTerms {
  readonly workers: number;
  readonly queue_max: number;
  /** How long a task may wait, and a worker may show no sign of life on one. */
  readonly timeout_ms: number;
  readonly worker: WorkerTerms;
}

type MessageOf<Type> = Extract<MessageFromWorker, { readonly type: Type }>;

/** A worker that cannot load is tried again after this long, doubled each time. */
const RELOAD_MS = 250;
const RELOAD_MS_MAX = 10_000;

/** Worker threads that hold the models, and the queue before them. */
export class WorkerPool {
  readonly #terms: PoolTerms;
  readonly #dispatcher: Dispatcher<ModelThread, PendingTask>;
  readonly #threads = new Set<ModelThread>();
  /** Threads on their way out. */
  readonly #ending = new Set<Promise<void>>();
  readonly #ready = Promise.withResolvers<void>();
  #idleListeners: (() => void)[] = [];
  #models: InstalledModels | null = null;
  #loaded = 0;
  #lastId = 0;
  #closed = false;

  constructor(terms: PoolTerms) {
    this.#terms = terms;
    this.#dispatcher = new Dispatcher({ workers: terms.workers, waiting_max: terms.queue_max });
    for (let at = 0; at < terms.workers; at++) this.#start(0);
    // A pool that nobody waits for must not end the process.
    this.ready.catch(() => undefined);
  }

  /** Settles when every worker has loaded its models; rejects when one cannot. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** What the workers have; null while none has loaded. */
  get models(): InstalledModels | null {
    return this.#dispatcher.workers > 0 ? this.#models : null;
  }

  get queued(): number {
    return this.#dispatcher.waiting;
  }

  isFull(kind: TaskKind, tenant: string): boolean {
    return this.#dispatcher.isFull(kind, tenant);
  }

  /** Never rejects. */
  submit(submission: Submission): Promise<Outcome> {
    const task = new PendingTask(++this.#lastId, submission);
    if (submission.signal.aborted) {
      task.abandon();
      return task.outcome;
    }
    const gaveWay = this.#dispatcher.offer(task);
    const full = failure('OVERLOADED', 'too many photos wait', { reason: 'queue_full' });
    if (gaveWay === 'refused') task.fail(full);
    else {
      gaveWay?.fail(full);
      this.#admit(task);
    }
    return task.outcome;
  }

  /** Settles when nothing waits or runs. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idleListeners.push(resolve);
      this.#tellIdle();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#threads];
    this.#threads.clear();
    const stopping = failure('OVERLOADED', 'the service is stopping', { reason: 'draining' });
    for (const worker of running) this.#dispatcher.remove(worker)?.fail(stopping);
    for (const worker of running) this.#retire(worker);
    await Promise.all(this.#ending);
  }

  #admit(task: PendingTask): void {
    task.whenClientLeaves(() => this.#abandon(task));
    task.expireIn(this.#terms.timeout_ms, () => this.#expire(task));
    this.#assign();
  }

  /** Gives workers that are free what they can start. */
  #assign(): void {
    for (let next = this.#dispatcher.next(); next !== null; next = this.#dispatcher.next()) {
      const { worker, job } = next;
      job.expireIn(this.#terms.timeout_ms, () => this.#giveUp(worker));
      const { image, task } = job.submission;
      worker.post({ type: 'run', id: job.id, task, image }, [image.buffer]);
    }
    this.#tellIdle();
  }

  /** Its client is gone. A worker goes on with what cannot be stopped; its answer is then dropped. */
  #abandon(task: PendingTask): void {
    if (this.#dispatcher.withdraw(task.id)) {
      task.settle({ is: 'abandoned' });
    } else {
      this.#dispatcher.workerOf(task.id)?.post({ type: 'cancel', id: task.id });
      task.abandon();
    }
    this.#tellIdle();
  }

  /** No worker came to be free for it. */
  #expire(task: PendingTask): void {
    const { timeout_ms } = this.#terms;
    if (this.#dispatcher.withdraw(task.id))
      task.fail(failure('TIMEOUT', 'no worker was free in time', { reason: 'waiting', timeout_ms }));
    this.#tellIdle();
  }

  #giveUp(worker: ModelThread): void {
    const { timeout_ms } = this.#terms;
    log('error', 'worker_stuck', { timeout_ms });
    this.#lose(worker, failure('TIMEOUT', 'the photo took too long', { reason: 'running', timeout_ms }));
    // It may be deep in native code, which cannot be interrupted: nobody waits for its end.
    this.#retire(worker);
    this.#start(0);
  }

  /** Takes a worker out and answers for what it was on. */
  #lose(worker: ModelThread, failed: Failure): void {
    this.#threads.delete(worker);
    this.#dispatcher.remove(worker)?.fail(failed);
    this.#tellIdle();
  }

  #retire(worker: ModelThread): void {
    const end = worker.end().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }

  /** @param failures of the workers before it in its place, which could not load */
  #start(failures: number): void {
    if (this.#closed) return;
    let isReady = false;
    const thread = startModelThread(this.#terms.worker, {
      heard: (message) => {
        isReady ||= message.type === 'ready';
        this.#hear(thread, message);
      },
      ended: (code) => this.#ended(thread, code, isReady ? null : failures),
    });
    this.#threads.add(thread);
  }

  /** @param failures null for a worker that had loaded its models */
  #ended(worker: ModelThread, code: number, failures: number | null): void {
    if (this.#closed || !this.#threads.has(worker)) return;
    log('error', 'worker_ended', { code });
    this.#lose(worker, failure('INTERNAL_ERROR', 'the worker on this photo ended', { reason: 'worker_ended' }));
    if (failures === null) {
      this.#start(0);
      return;
    }
    this.#ready.reject(new Error('a worker could not load its models'));
    setTimeout(() => this.#start(failures + 1), Math.min(RELOAD_MS * 2 ** failures, RELOAD_MS_MAX)).unref();
  }

  #hear(worker: ModelThread, message: MessageFromWorker): void {
    if (!this.#threads.has(worker)) return;
    switch (message.type) {
      case 'ready':
        this.#isReady(worker, message);
        break;
      case 'progress':
        this.#progress(worker, message);
        break;
      default:
        this.#finish(worker, message);
    }
  }

  #isReady(worker: ModelThread, { models, problems }: MessageOf<'ready'>): void {
    // Every worker has the same.
    if (this.#models === null) {
      for (const problem of problems) log('error', 'model_unavailable', { ...problem });
      log('info', 'models', { ...models });
    }
    this.#models = models;
    this.#dispatcher.add(worker);
    if (++this.#loaded === this.#terms.workers) this.#ready.resolve();
    this.#assign();
  }

  #progress(worker: ModelThread, { progress }: MessageOf<'progress'>): void {
    const task = this.#dispatcher.jobOf(worker);
    task?.isAlive();
    task?.submission.progress(progress);
  }

  #finish(worker: ModelThread, message: MessageOf<'done' | 'failed' | 'threw'>): void {
    const task = this.#dispatcher.finish(worker);
    if (message.type === 'threw' && message.error !== 'cancelled')
      log('error', 'task_threw', { task: task?.kind, error: message.error });
    task?.settle(outcomeOf(message));
    this.#assign();
  }

  #tellIdle(): void {
    if (this.#dispatcher.waiting + this.#dispatcher.running > 0) return;
    const listeners = this.#idleListeners;
    this.#idleListeners = [];
    for (const listener of listeners) listener();
  }
}

function outcomeOf(message: MessageOf<'done' | 'failed' | 'threw'>): Outcome {
  switch (message.type) {
    case 'done':
      return { is: 'done', body: message.body };
    case 'failed':
      return { is: 'failed', failure: message.failure };
    case 'threw':
      return { is: 'failed', failure: failure('INTERNAL_ERROR', 'the photo could not be processed') };
  }
}
