import { Worker } from 'node:worker_threads';
import { log } from '../log.ts';
import type { MessageFromWorker, MessageToWorker, WorkerData, WorkerTerms } from './messages.ts';
import { condemn, createGuardState } from './native-guard.ts';

/** A worker thread with its models. */
export interface ModelThread {
  /** `transferred` is moved: not to be read afterwards. */
  post(message: MessageToWorker, transferred?: readonly ArrayBuffer[]): void;
  /** Ends it as soon as that harms nobody, and settles then. */
  end(): Promise<void>;
}

export interface ThreadListener {
  heard(message: MessageFromWorker): void;
  /** Whether it was told to or not. */
  ended(code: number): void;
}

export function startModelThread(terms: WorkerTerms, { heard, ended }: ThreadListener): ModelThread {
  const guard = createGuardState();
  const workerData: WorkerData = { ...terms, guard };
  const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), { workerData, execArgv: [] });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      ended(code);
      resolve();
    });
  });
  worker.on('message', heard);
  worker.on('error', (error: unknown) =>
    log('error', 'worker_error', { error: error instanceof Error ? error.stack : String(error) }),
  );
  return {
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    async end() {
      if (condemn(guard)) await worker.terminate();
      await exited;
    },
  };
}
