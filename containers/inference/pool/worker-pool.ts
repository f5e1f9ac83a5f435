import type { InstalledModels } from '../engine/engines.ts';
import { type Failure, failure } from '../failure.ts';
import { log } from '../log.ts';
import { Dispatcher, type TaskKind } from './dispatcher.ts';
import type { MessageFromWorker, Task, WorkerTerms } from './messages.ts';
import { type ModelThread, startModelThread } from './model-thread.ts';

export interface PoolTerms {
  readonly workers: number;
  readonly queue_max: number;
  /** How long a task may wait, and a worker may show no sign of life on one. */
  readonly timeout_ms: number;
  readonly worker: WorkerTerms;
}

type Outcome =
  | { readonly is: 'done'; readonly body: Uint8Array }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** Its client went away. */
  | { readonly is: 'abandoned' };

export interface Submission {
  readonly task: Task;
  /** Moved to the worker: not to be read afterwards. */
  readonly image: Uint8Array<ArrayBuffer>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
}

/** Worker threads that hold the models, and the queue before them. */
export interface WorkerPool {
  /** Settles when every worker has loaded its models; rejects when one cannot. */
  readonly ready: Promise<void>;
  /** What the workers have; null while none has loaded. */
  readonly models: InstalledModels | null;
  readonly queued: number;
  isFull(kind: TaskKind): boolean;
  /** Never rejects. */
  submit(submission: Submission): Promise<Outcome>;
  /** Settles when nothing waits or runs. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly id: number;
  readonly kind: TaskKind;
  readonly submission: Submission;
  timer: NodeJS.Timeout;
  settle(outcome: Outcome): void;
}

/** A worker that cannot load is tried again after this long, doubled each time. */
const RELOAD_MS = 250;
const RELOAD_MS_MAX = 10_000;

export function startWorkerPool(terms: PoolTerms): WorkerPool {
  const { timeout_ms, workers } = terms;
  const dispatcher = new Dispatcher<ModelThread, Entry>({ workers, waiting_max: terms.queue_max });
  const threads = new Set<ModelThread>();
  /** Threads on their way out. */
  const ending = new Set<Promise<void>>();
  const idleListeners: (() => void)[] = [];
  let models: InstalledModels | null = null;
  let loaded = 0;
  let lastId = 0;
  let closed = false;
  const ready = Promise.withResolvers<void>();

  const tellIdle = () => {
    if (dispatcher.waiting + dispatcher.running === 0) for (const listener of idleListeners.splice(0)) listener();
  };

  const timed = (act: () => void) => setTimeout(act, timeout_ms);

  const assign = () => {
    for (let next = dispatcher.next(); next !== null; next = dispatcher.next()) {
      const { worker, job } = next;
      clearTimeout(job.timer);
      job.timer = timed(() => giveUp(worker));
      const { image, task } = job.submission;
      worker.post({ type: 'run', id: job.id, task, image }, [image.buffer]);
    }
    tellIdle();
  };

  /** Takes a worker out and answers for what it was on. */
  const lose = (worker: ModelThread, failed: Failure) => {
    threads.delete(worker);
    const entry = dispatcher.remove(worker);
    entry?.settle({ is: 'failed', failure: failed });
    tellIdle();
  };

  const retire = (worker: ModelThread) => {
    const end = worker.end().finally(() => ending.delete(end));
    ending.add(end);
  };

  const giveUp = (worker: ModelThread) => {
    log('error', 'worker_stuck', { timeout_ms });
    lose(worker, failure('TIMEOUT', 'the photo took too long', { reason: 'running', timeout_ms }));
    // It may be deep in native code, which cannot be interrupted: nobody waits for its end.
    retire(worker);
    start(0);
  };

  const hear = (worker: ModelThread, message: MessageFromWorker) => {
    if (!threads.has(worker)) return;
    if (message.type === 'ready') {
      if (models === null) {
        // Every worker has the same.
        for (const problem of message.problems) log('error', 'model_unavailable', { ...problem });
        log('info', 'models', { ...message.models });
      }
      models = message.models;
      dispatcher.add(worker);
      if (++loaded === workers) ready.resolve();
      return assign();
    }
    if (message.type === 'progress') {
      const entry = dispatcher.jobOf(worker);
      entry?.timer.refresh();
      entry?.submission.progress(message.progress);
      return;
    }
    const entry = dispatcher.finish(worker);
    if (message.type === 'threw' && message.error !== 'cancelled')
      log('error', 'task_threw', { task: entry?.kind, error: message.error });
    entry?.settle(outcomeOf(message));
    assign();
  };

  const start = (failures: number) => {
    if (closed) return;
    let isReady = false;
    const thread = startModelThread(terms.worker, {
      heard(message) {
        isReady ||= message.type === 'ready';
        hear(thread, message);
      },
      ended(code) {
        if (closed || !threads.has(thread)) return;
        log('error', 'worker_ended', { code });
        lose(thread, failure('INTERNAL_ERROR', 'the worker on this photo ended', { reason: 'worker_ended' }));
        if (isReady) return start(0);
        ready.reject(new Error('a worker could not load its models'));
        setTimeout(() => start(failures + 1), Math.min(RELOAD_MS * 2 ** failures, RELOAD_MS_MAX)).unref();
      },
    });
    threads.add(thread);
  };

  for (let at = 0; at < workers; at++) start(0);
  // A pool that nobody waits for must not end the process.
  ready.promise.catch(() => undefined);

  return {
    ready: ready.promise,
    get models() {
      return dispatcher.workers > 0 ? models : null;
    },
    get queued() {
      return dispatcher.waiting;
    },
    isFull: (kind) => dispatcher.isFull(kind),
    submit(submission) {
      const { signal, task } = submission;
      return new Promise((resolve) => {
        const id = ++lastId;
        const abandon = () => {
          const waited = dispatcher.withdraw(id);
          if (waited) clearTimeout(entry.timer);
          // A worker goes on with what cannot be stopped; its answer is then dropped.
          else dispatcher.workerOf(id)?.post({ type: 'cancel', id });
          signal.removeEventListener('abort', abandon);
          resolve({ is: 'abandoned' });
          tellIdle();
        };
        const expire = () => {
          if (dispatcher.withdraw(id))
            entry.settle({
              is: 'failed',
              failure: failure('TIMEOUT', 'no worker was free in time', { reason: 'waiting', timeout_ms }),
            });
          tellIdle();
        };
        const entry: Entry = {
          id,
          kind: task.kind,
          submission,
          timer: timed(expire),
          settle(outcome) {
            clearTimeout(entry.timer);
            signal.removeEventListener('abort', abandon);
            resolve(outcome);
          },
        };
        if (signal.aborted) return entry.settle({ is: 'abandoned' });
        if (!dispatcher.offer(entry))
          return entry.settle({
            is: 'failed',
            failure: failure('OVERLOADED', 'too many photos wait', { reason: 'queue_full' }),
          });
        signal.addEventListener('abort', abandon);
        assign();
      });
    },
    whenIdle() {
      return new Promise((resolve) => {
        idleListeners.push(resolve);
        tellIdle();
      });
    },
    async close() {
      closed = true;
      const running = [...threads];
      threads.clear();
      for (const worker of running) {
        dispatcher
          .remove(worker)
          ?.settle({ is: 'failed', failure: failure('OVERLOADED', 'the service is stopping', { reason: 'draining' }) });
      }
      for (const worker of running) retire(worker);
      await Promise.all(ending);
    },
  };
}

function outcomeOf(message: Exclude<MessageFromWorker, { type: 'ready' | 'progress' }>): Outcome {
  switch (message.type) {
    case 'done':
      return { is: 'done', body: message.body };
    case 'failed':
      return { is: 'failed', failure: message.failure };
    case 'threw':
      return { is: 'failed', failure: failure('INTERNAL_ERROR', 'the photo could not be processed') };
  }
}
