import type { BookMarket } from '../../domain/markets/market.ts';
import type { EngineCommand } from '../../durable-objects/order-book/engine/engine.ts';
import type { JournalEntry } from '../../durable-objects/order-book/journal/journal-entry.ts';

/** First line of a recording: whose commands follow, those of a bare engine or the journal of an order book. */
export type RecordingHeader =
  | { readonly recording: 'engine' }
  | { readonly recording: 'journal'; readonly market: BookMarket };

export interface EngineRecordingLine {
  readonly time_ms: number;
  readonly command: EngineCommand;
}

/** One cycle of an order book. */
export interface JournalRecordingLine {
  readonly entry: JournalEntry;
}

export type RecordingLine = EngineRecordingLine | JournalRecordingLine;

/** Last line: digest of the engine's state after everything before. */
export interface RecordingEnd {
  readonly stateHash: string;
}
