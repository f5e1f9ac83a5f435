import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { installedModels, type LoadEngines } from '../engine/engines.ts';
import { runTask } from '../tasks/run-task.ts';
import type { MessageFromWorker, MessageToWorker, WorkerData } from './messages.ts';
import { guardNativeCalls } from './native-guard.ts';

/** A worker thread of the pool: loads its own models, then does one task at a time, from the photo's bytes to the answer's. */
const { engines: address, models, limits, guard } = workerData as WorkerData;
if (parentPort === null) throw new Error('this module runs in a worker thread of the pool');
const port = parentPort;

class Cancelled extends Error {}

guardNativeCalls(guard, () => process.exit());
// One photo a thread: the pool is what makes use of the cores.
sharp.concurrency(1);
sharp.cache(false);

const { loadEngines } = (await import(address)) as { loadEngines: LoadEngines };
const engines = await loadEngines(models);
const cancelled = new Set<number>();

function say(message: MessageFromWorker, transferred: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transferred);
}

async function run({ id, task, image }: Extract<MessageToWorker, { type: 'run' }>): Promise<void> {
  try {
    const result = await runTask(engines, limits, task, image, (progress) => {
      if (cancelled.has(id)) throw new Cancelled();
      say({ type: 'progress', id, progress });
    });
    if (result.ok) say({ type: 'done', id, body: result.value }, [result.value.buffer as ArrayBuffer]);
    else say({ type: 'failed', id, failure: result.error });
  } catch (error) {
    const text =
      error instanceof Cancelled
        ? 'cancelled'
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error);
    say({ type: 'threw', id, error: text });
  } finally {
    cancelled.delete(id);
  }
}

port.on('message', (message: MessageToWorker) => {
  if (message.type === 'run') void run(message);
  else cancelled.add(message.id);
});
say({ type: 'ready', models: installedModels(engines), problems: engines.problems });
