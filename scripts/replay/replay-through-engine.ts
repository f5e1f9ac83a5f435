import type { EngineEvent } from '../../durable-objects/order-book/engine/engine.ts';
import { createFastEngine } from '../../durable-objects/order-book/engine/fast.ts';
import { engineCommand } from './engine-command.ts';
import type { BookFile } from './lobster/book-file.ts';
import { rowDifference } from './lobster/row-difference.ts';
import { type ReplayOutcome, RowTally } from './outcome.ts';
import type { PlannedExecution, ReplayCommand, ReplayPlan } from './plan.ts';
import type { RecordingWriter } from './recording-writer.ts';

const PROGRESS_STEPS = 20_000;

export interface EngineReplay {
  readonly plan: ReplayPlan;
  readonly book: BookFile;
  readonly levels: number;
  readonly recording: RecordingWriter | null;
  /** Called now and then with the steps done and the seconds that they took. */
  readonly progress: (steps: number, seconds: number) => void;
}

/** Drives the bare engine with a plan and compares its book with the file's after every message. */
export function replayThroughEngine({ plan, book, levels, recording, progress }: EngineReplay): ReplayOutcome {
  const engine = createFastEngine();
  recording?.begin({ recording: 'engine' });
  const apply = (command: ReplayCommand, time_ms: number): EngineEvent[] => {
    const engineCommandOf = engineCommand(command);
    recording?.write({ time_ms, command: engineCommandOf });
    return engine.apply(engineCommandOf, time_ms);
  };
  const begin_ms = plan.steps[0]?.time_ms ?? 0;
  for (const command of plan.seed) apply(command, begin_ms);

  const rows = new RowTally();
  let hits = 0;
  let firstMiss: number | null = null;
  let commands = 0;
  let applying_ms = 0;
  for (const [step, { time_ms, commands: stepCommands, execution }] of plan.steps.entries()) {
    const from = performance.now();
    const events = stepCommands.flatMap((command) => apply(command, time_ms));
    applying_ms += performance.now() - from;
    commands += stepCommands.length;
    if (execution !== null) {
      if (tookExactly(execution, events)) hits += 1;
      else firstMiss ??= step;
    }
    rows.count(step, rowDifference(book.row(step), engine.depth(levels), levels));
    if ((step + 1) % PROGRESS_STEPS === 0) progress(step + 1, applying_ms / 1_000);
  }
  engine.assertInvariants();
  recording?.end(engine.stateHash());
  return {
    rowsCompared: rows.compared,
    rowsThatDiffer: rows.differing,
    firstDifference: rows.first,
    executionsThatHit: hits,
    firstMiss,
    commands,
    seconds: applying_ms / 1_000,
  };
}

function tookExactly({ takerId, makerIds, quantity }: PlannedExecution, events: readonly EngineEvent[]): boolean {
  let taken = 0;
  for (const event of events) {
    if (event.type !== 'filled' || event.takerId !== takerId) continue;
    if (!makerIds.includes(event.makerId)) return false;
    taken += event.quantity;
  }
  return taken === quantity;
}
