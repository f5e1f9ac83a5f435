import { startWorker } from '../../bench/runtime/start-worker.ts';
import { auditTable } from '../local/audit-table.ts';
import type { OpenMarket, ReplayCalls } from './exchange/protocol.ts';
import type { BookFile } from './lobster/book-file.ts';
import type { ReplayOutcome } from './outcome.ts';
import type { ReplayCommand, ReplayPlan, ReplayStep } from './plan.ts';
import type { RecordingWriter } from './recording-writer.ts';

const WORKER = 'bench/workers/replay.toml';
const SEED_COMMANDS_PER_CALL = 1_000;
const STEPS_PER_CALL = 1_000;
/** Each of three accounts gets at most this, so that their deposits stay exact together. */
const DEPOSIT_MAX = 2_000_000_000_000_000;

type Call = <Name extends keyof ReplayCalls>(
  name: Name,
  ask: ReplayCalls[Name]['ask'],
) => Promise<ReplayCalls[Name]['answer']>;

export interface ExchangeReplay {
  readonly plan: ReplayPlan;
  readonly book: BookFile;
  readonly levels: number;
  readonly recording: RecordingWriter | null;
  /** Called now and then with the steps done and the seconds that they took. */
  readonly progress: (steps: number, seconds: number) => void;
}

/**
 * Drives the real path with a plan: order book object, journal and D1 in workerd, command by command, comparing the book with the
 * file's after every message. Who met whom is read from the settled trades, and the audit must hold at the end.
 */
export async function replayThroughExchange(replay: ExchangeReplay): Promise<ReplayOutcome> {
  console.log('starting the order book in workerd');
  const worker = await startWorker(WORKER);
  try {
    const call: Call = async (name, ask) => {
      const response = await fetch(new URL(name, worker.url), { method: 'POST', body: JSON.stringify(ask) });
      if (!response.ok) throw new Error(`the replay's Worker failed: ${await response.text()}`);
      return (await response.json()) as ReplayCalls[typeof name]['answer'];
    };
    return await drive(call, replay);
  } finally {
    await worker.stop();
  }
}

async function drive(call: Call, { plan, book, levels, recording, progress }: ExchangeReplay): Promise<ReplayOutcome> {
  await call('open', marketOf(plan));
  for (let from = 0; from < plan.seed.length; from += SEED_COMMANDS_PER_CALL) {
    await call('submit', { commands: plan.seed.slice(from, from + SEED_COMMANDS_PER_CALL) });
  }
  let rowsThatDiffer = 0;
  let firstDifference: ReplayOutcome['firstDifference'] = null;
  const started_ms = performance.now();
  for (let from = 0; from < plan.steps.length; from += STEPS_PER_CALL) {
    const steps = plan.steps
      .slice(from, from + STEPS_PER_CALL)
      .map(({ commands }, index) => ({ commands, row: book.row(from + index) }));
    const { differences } = await call('steps', { from, levels, steps });
    rowsThatDiffer += differences.length;
    firstDifference ??= differences[0] ?? null;
    progress(from + steps.length, (performance.now() - started_ms) / 1_000);
  }
  const seconds = (performance.now() - started_ms) / 1_000;

  const { audit, stateHash, halted } = await call('close', {});
  console.log(auditTable(audit));
  if (halted !== null) throw new Error(`the book halted: ${halted}`);
  if (!audit.every((row) => row.holds)) throw new Error('the audit does not hold');
  if (recording !== null) await record(call, recording, stateHash);
  return {
    rowsCompared: plan.steps.length,
    rowsThatDiffer,
    firstDifference,
    ...(await executionsOf(call, plan.steps)),
    commands: plan.steps.reduce((sum, step) => sum + step.commands.length, 0),
    seconds,
  };
}

function marketOf({ tickSize, seed, steps }: ReplayPlan): OpenMarket {
  let cash = 0;
  let shares = 0;
  const fund = (command: ReplayCommand): void => {
    if (command.type !== 'rest' && command.type !== 'take') return;
    if (command.side === 'buy') cash += command.price * command.quantity;
    else shares += command.quantity;
  };
  for (const command of seed) fund(command);
  for (const step of steps) for (const command of step.commands) fund(command);
  return { tickSize, cash: Math.min(cash, DEPOSIT_MAX) + 1, shares: Math.min(shares, DEPOSIT_MAX) + 1 };
}

/** Judges the file's executions by the trades that settled. */
async function executionsOf(
  call: Call,
  steps: readonly ReplayStep[],
): Promise<Pick<ReplayOutcome, 'executionsThatHit' | 'firstMiss'>> {
  const makersOf = await readMakers(call);
  let executionsThatHit = 0;
  let firstMiss: number | null = null;
  for (const [step, { execution }] of steps.entries()) {
    if (execution === null) continue;
    const makers = makersOf.get(execution.takerId) ?? [];
    const taken = makers.reduce((sum, maker) => sum + maker.quantity, 0);
    const isHit = taken === execution.quantity && makers.every(({ orderId }) => execution.makerIds.includes(orderId));
    if (isHit) executionsThatHit += 1;
    else firstMiss ??= step;
  }
  return { executionsThatHit, firstMiss };
}

/** What each taker took, by its order id. */
async function readMakers(call: Call): Promise<Map<string, { orderId: string; quantity: number }[]>> {
  const makersOf = new Map<string, { orderId: string; quantity: number }[]>();
  for (let after = 0; ; ) {
    const { fills } = await call('fills', { after });
    const last = fills.at(-1);
    if (last === undefined) return makersOf;
    for (const { buyOrder, sellOrder, takerSide, quantity } of fills) {
      const [taker, orderId] = takerSide === 'buy' ? [buyOrder, sellOrder] : [sellOrder, buyOrder];
      const makers = makersOf.get(taker);
      if (makers === undefined) makersOf.set(taker, [{ orderId, quantity }]);
      else makers.push({ orderId, quantity });
    }
    after = last.sequence;
  }
}

async function record(call: Call, recording: RecordingWriter, stateHash: string): Promise<void> {
  for (let after = 0; ; ) {
    const { market, rows } = await call('journal', { after });
    if (after === 0) recording.begin({ recording: 'journal', market });
    const last = rows.at(-1);
    if (last === undefined) break;
    for (const { entry } of rows) recording.write({ entry });
    after = last.seq;
  }
  recording.end(stateHash);
}
