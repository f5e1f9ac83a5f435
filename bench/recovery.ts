import type { LedgerWork, RecoveryWork } from './recovery-work.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

/**
 * A ledger with a million balances, lost with ten thousand rows after its checkpoint, and a book with a million journaled commands, lost as far behind its last snapshot as a book can be: the time until it answers its
 * first call again, and the parts of it, against the floor of the same run: the same rows read and not looked at.
 */
const JOURNALED_COMMANDS = sized(1_000_000, 2_000);
const SNAPSHOT_COMMANDS = sized(50_000, 1_000);
const LEDGER_BALANCES = sized(999_000, 3_000);
const LEDGER_ROWS = sized(10_000, 50);
const ROUNDS = sized(5, 1);
/** The last orders come in steps, so that the book is lost just before it would write a snapshot. */
const STEP = sized(50_000, 1_000);
const LAST_STEP = sized(1_000, 500);

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

interface LedgerTimes {
  readonly work: LedgerWork;
  readonly floor: readonly number[];
  readonly replay: readonly number[];
  readonly first: readonly number[];
}

async function recoverLedger(): Promise<LedgerTimes> {
  const work = (await call<LedgerWork>(`/ledger/fill?balances=${LEDGER_BALANCES}&rows=${LEDGER_ROWS}`)).body;
  const times = { work, floor: [] as number[], replay: [] as number[], first: [] as number[] };
  for (let round = 1; round <= ROUNDS; round++) {
    times.floor.push((await call('/ledger/read-raw')).ms);
    times.replay.push((await call('/ledger/replay')).ms);
    await call('/ledger/lose');
    times.first.push((await call('/ledger/fence')).ms);
    console.log(`round ${round}: the ledger's first answer after ${Math.round(times.first.at(-1)!)} ms`);
  }
  return times;
}

try {
  await call('/setup');
  const ledger = await recoverLedger();
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
      line("the ledger's rows, read and not looked at", ledger.floor),
      line("the ledger's checkpoint loaded, its rows replayed and compared", ledger.replay),
      line("the ledger's first answer", ledger.first),
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
      ledger_first_answer_ms: median(ledger.first),
      ledger_floor_ms: median(ledger.floor),
      ledger_balances: ledger.work.balances,
      ledger_rows_replayed: ledger.work.rowsToReplay,
      ledger_bytes_read: ledger.work.bytes,
    },
  });
} finally {
  await worker.stop();
}
