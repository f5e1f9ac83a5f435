import type { RecoveryWork } from './recovery-work.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';

/**
 * A book with a million journaled commands, lost as far behind its last snapshot as a book can be: the time until it answers its
 * first order again, and the parts of it, against the floor of the same run: the same rows read and not looked at.
 */
const JOURNALED_COMMANDS = 1_000_000;
const SNAPSHOT_COMMANDS = 50_000;
const ROUNDS = 5;
/** The last orders come in steps, so that the book is lost just before it would write a snapshot. */
const STEP = 50_000;
const LAST_STEP = 1_000;

const worker = await startWorker('bench/workers/recovery.toml', { log: () => undefined });

async function call<Answer>(path: string): Promise<{ ms: number; body: Answer }> {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.url), { signal: AbortSignal.timeout(300_000) });
  const ms = performance.now() - started;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return { ms, body: (await response.json()) as Answer };
}

async function fill(): Promise<RecoveryWork> {
  let seed = 0;
  const trade = async (orders: number): Promise<RecoveryWork> =>
    (await call<RecoveryWork>(`/trade?seed=${++seed}&orders=${orders}`)).body;
  let work = await trade(STEP);
  while (work.journaledCommands < JOURNALED_COMMANDS) {
    work = await trade(STEP);
    console.log(`${work.journaledCommands} commands journaled`);
  }
  while (work.commandsToReplay < SNAPSHOT_COMMANDS - 3 * LAST_STEP) work = await trade(LAST_STEP);
  return work;
}

try {
  await call('/setup');
  const work = await fill();
  const floor: number[] = [];
  const snapshot: number[] = [];
  const replay: number[] = [];
  const takeover: number[] = [];
  const first: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    floor.push((await call('/read-raw')).ms);
    snapshot.push((await call('/load-snapshot')).ms);
    replay.push((await call('/replay')).ms - snapshot.at(-1)!);
    await call('/lose');
    first.push((await call(`/order?seed=${1_000_000 + round}`)).ms);
    takeover.push(first.at(-1)! - replay.at(-1)! - snapshot.at(-1)!);
    console.log(`round ${round}: first answer after ${Math.round(first.at(-1)!)} ms`);
  }
  const line = (part: string, values: readonly number[]) => ({ part, ms: median(values) });
  printReport({
    bench: 'recovery',
    ratio: median(floor) / median(first),
    table: [
      line('the same rows, read and not looked at', floor),
      line('snapshot loaded', snapshot),
      line('journal replayed and compared', replay),
      line('fence taken, first order admitted, matched and journaled', takeover),
      line('first answer', first),
    ],
    figures: {
      first_answer_ms: median(first),
      floor_ms: median(floor),
      snapshot_ms: median(snapshot),
      replay_ms: median(replay),
      takeover_ms: median(takeover),
      journaled_commands: work.journaledCommands,
      commands_replayed: work.commandsToReplay,
      live_orders: work.liveOrders,
      bytes_read: work.bytes,
    },
  });
} finally {
  await worker.stop();
}
