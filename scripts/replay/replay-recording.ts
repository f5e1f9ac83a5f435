import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { BookState } from '../../durable-objects/order-book/cycle/book-state.ts';
import { createFastEngine } from '../../durable-objects/order-book/engine/fast.ts';
import type {
  EngineRecordingLine,
  JournalRecordingLine,
  RecordingEnd,
  RecordingHeader,
  RecordingLine,
} from './recording.ts';

export interface RecordingOutcome {
  readonly recording: RecordingHeader['recording'];
  readonly lines: number;
  readonly commands: number;
  /** State hash at the end of the recording, and the one that replaying it gave. */
  readonly recorded: string;
  readonly replayed: string;
}

/** Replays a recording from nothing. Throws when the file is none, or has no end. */
export async function replayRecording(path: string): Promise<RecordingOutcome> {
  let replayer: Replayer | null = null;
  let recording: RecordingHeader['recording'] = 'engine';
  let lines = 0;
  for await (const text of createInterface({ input: createReadStream(path, 'utf8') })) {
    const line = parse(text, lines + 1);
    lines += 1;
    if (replayer === null) {
      const header = line as RecordingHeader;
      replayer = replayerOf(header);
      recording = header.recording;
    } else if ('stateHash' in line) {
      const { stateHash } = line as RecordingEnd;
      const replayed = replayer.stateHash();
      return { recording, lines: lines - 2, commands: replayer.commands, recorded: stateHash, replayed };
    } else {
      replayer.run(line as RecordingLine);
    }
  }
  throw new Error(`${path} ends without a state hash: the run that wrote it did not finish`);
}

interface Replayer {
  commands: number;
  run(line: RecordingLine): void;
  stateHash(): string;
}

function replayerOf(header: RecordingHeader): Replayer {
  switch (header.recording) {
    case 'engine':
      return engineReplayer();
    case 'journal':
      return journalReplayer(header);
    default:
      throw new Error('the first line is no header of a recording');
  }
}

function engineReplayer(): Replayer {
  const engine = createFastEngine();
  return {
    commands: 0,
    run(line) {
      const { command, time_ms } = line as EngineRecordingLine;
      engine.apply(command, time_ms);
      this.commands += 1;
    },
    stateHash: () => engine.stateHash(),
  };
}

function journalReplayer({ market }: Extract<RecordingHeader, { recording: 'journal' }>): Replayer {
  const state = new BookState(market);
  return {
    commands: 0,
    run(line) {
      const { entry } = line as JournalRecordingLine;
      state.run(entry);
      this.commands += entry.commands.length;
    },
    stateHash: () => state.engine.stateHash(),
  };
}

function parse(text: string, line: number): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new Error(`line ${line} is no line of a recording`);
}
