/**
 * `npm run replay`: drives the exchange with recorded order flow and checks what comes of it.
 *
 *     npm run replay -- lobster <message.csv> <orderbook.csv> [--levels N] [--engine] [--record FILE]
 *     npm run replay -- recording <FILE>
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BookFile } from './replay/lobster/book-file.ts';
import { parseMessages } from './replay/lobster/message.ts';
import { planReplay } from './replay/lobster/plan-replay.ts';
import { isRight, printOutcome } from './replay/print-outcome.ts';
import { RecordingWriter } from './replay/recording-writer.ts';
import { replayRecording } from './replay/replay-recording.ts';
import { replayThroughEngine } from './replay/replay-through-engine.ts';
import { replayThroughExchange } from './replay/replay-through-exchange.ts';

const USAGE = `usage: npm run replay -- lobster <message.csv> <orderbook.csv> [--levels N] [--engine] [--record FILE]
       npm run replay -- recording <FILE>`;

async function replay(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { levels: { type: 'string' }, engine: { type: 'boolean' }, record: { type: 'string' } },
  });
  const [what, first, second, ...rest] = positionals;
  if (rest.length > 0) throw new Error(USAGE);
  if (what === 'lobster' && first !== undefined && second !== undefined) return replayLobster(first, second, values);
  if (what === 'recording' && first !== undefined && second === undefined) return checkRecording(first);
  throw new Error(USAGE);
}

interface Options {
  readonly levels?: string | undefined;
  readonly engine?: boolean | undefined;
  readonly record?: string | undefined;
}

async function replayLobster(messageFile: string, bookFile: string, options: Options): Promise<boolean> {
  const messages = parseMessages(readFileSync(messageFile, 'utf8'));
  const book = new BookFile(readFileSync(bookFile, 'utf8'));
  const levels = levelsOf(options.levels, book.levels);
  const plan = planReplay(messages, book);
  console.log(
    `${messages.length} messages, ${plan.seed.length} orders rest before them, ${plan.outOfViewCommands} commands out of the file's view`,
  );
  const recording = options.record === undefined ? null : new RecordingWriter(options.record);
  const progress = (steps: number, seconds: number): void =>
    console.log(`${steps} of ${messages.length} messages, ${Math.round(steps / seconds)}/s`);
  const run = { plan, book, levels, recording, progress };
  const outcome = options.engine ? replayThroughEngine(run) : await replayThroughExchange(run);
  printOutcome(messages, outcome);
  return isRight(messages, outcome);
}

function levelsOf(text: string | undefined, levelsOfFile: number): number {
  if (text === undefined) return levelsOfFile;
  const levels = Number(text);
  if (Number.isInteger(levels) && levels >= 1 && levels <= levelsOfFile) return levels;
  throw new Error(`--levels is from 1 to ${levelsOfFile}, what the file has`);
}

async function checkRecording(path: string): Promise<boolean> {
  const { recording, lines, commands, recorded, replayed } = await replayRecording(path);
  console.log(`${recording} recording: ${lines} entries, ${commands} commands`);
  console.log(`state hash recorded  ${recorded}\nstate hash replayed  ${replayed}`);
  console.log(recorded === replayed ? 'the same' : 'DIFFERENT');
  return recorded === replayed;
}

try {
  process.exitCode = (await replay()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
