import { beginEmptying, otherShard } from '../../data/ledger/projection/empty-read-model.ts';
import { CHAIN_START, type ChainLink, JournalBroken, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import type { RebuildOutcome, RebuildProgress } from './api.ts';
import type { LedgerJournal } from './ledger-journal.ts';
import type { Projector } from './projector.ts';
import type { RebuildRecord } from './rebuild-record.ts';

/** What a rebuild needs of the object that it runs in. */
export interface RebuildHost {
  readonly d1: D1Database;
  readonly shard: string;
  readonly journal: LedgerJournal;
  readonly projector: Projector;
  now(): number;
  /** Rows after `seq`, to the end of the sealed segment that has the next one; none when that is not sealed. Throws JournalBroken. */
  sealedRowsAfter(seq: number): Promise<StoredRow[]>;
  /** Kicks the rebuild at this time, whatever happens to this instance. */
  wakeAt(time: number): void;
  warn(reason: string): void;
}

const RETRY_MS = 1_000;

/**
 * Writes the read model again, in steps that a crash leaves where they are: proves that the journal is whole, segment by segment; has D1
 * emptied and its cursor moved before the first row; the projector does the rest.
 */
export class ReadModelRebuild {
  readonly #host: RebuildHost;
  #record: RebuildRecord | null;
  #verified = 0;
  #running = false;

  constructor(host: RebuildHost) {
    this.#host = host;
    this.#record = host.journal.rebuild;
  }

  /** Whether D1 lacks what it showed before, or is about to: nothing new must be admitted, since checks read it. */
  get isReadModelGone(): boolean {
    if (this.#record === null) return false;
    const { cursor, isEmptying } = this.#host.projector;
    const phase = phaseOf(this.#record, isEmptying, cursor);
    return phase === 'emptying' || phase === 'writing';
  }

  /** The last rebuild; null when there never was one. */
  get progress(): RebuildProgress | null {
    const record = this.#record;
    if (record === null) return null;
    const { journal, projector } = this.#host;
    const { id, startedAt, to, reason } = record;
    const { cursor, isEmptying, rowsEmptied } = projector;
    const phase = phaseOf(record, isEmptying, cursor);
    const verified = record.step === 'verifying' ? this.#verified : record.step === 'failed' ? 0 : to;
    return {
      id,
      startedAt,
      phase,
      to,
      verified,
      emptied: rowsEmptied,
      projected: cursor,
      journaled: journal.head.seq,
      reason,
    };
  }

  /** @throws when D1 does not answer: nothing was done */
  async begin(id: string): Promise<RebuildOutcome> {
    const under = this.progress;
    if (under?.id === id) return { type: 'begun', rebuild: under };
    if (under !== null && under.phase !== 'done' && under.phase !== 'failed')
      return { type: 'under_way', rebuild: under };
    const { d1, shard, journal, now } = this.#host;
    const other = await otherShard(d1, shard);
    if (other !== null) return { type: 'shared', shard: other };
    this.#verified = 0;
    this.#save({ id, startedAt: now(), to: journal.head.seq, step: 'verifying', reason: null });
    this.kick();
    return { type: 'begun', rebuild: this.progress as RebuildProgress };
  }

  /** Goes on with what is under way. */
  kick(): void {
    if (!this.#running && this.isUnfinished) void this.#run();
  }

  /** Whether it has steps of its own left; the projector's are not. */
  get isUnfinished(): boolean {
    return this.#record?.step === 'verifying' || this.#record?.step === 'marking';
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#host.wakeAt(this.#host.now());
    try {
      if (this.#record?.step === 'verifying') await this.#verify();
      if (this.#record?.step === 'marking') await this.#mark();
    } catch (error) {
      // The alarm tries again.
      this.#host.warn(error instanceof Error ? error.message : String(error));
      this.#host.wakeAt(this.#host.now() + RETRY_MS);
    } finally {
      this.#running = false;
    }
  }

  /** Reads every segment: what is emptied and cannot be written again would be lost, and would halt the ledger. */
  async #verify(): Promise<void> {
    const { journal, sealedRowsAfter } = this.#host;
    let end: ChainLink = CHAIN_START;
    try {
      for (;;) {
        const segment = journal.segments.having(end.seq + 1);
        if (segment === null) break;
        if (segment.first !== end.seq + 1 || segment.previousHash !== end.hash)
          throw new JournalBroken(`segment ${segment.first} to ${segment.last} does not continue row ${end.seq}`);
        end = (await sealedRowsAfter(end.seq)).at(-1) ?? end;
        this.#verified = end.seq;
      }
      if (journal.prunedTo > end.seq) throw new JournalBroken(`rows after ${end.seq} are not kept`);
      this.#change({ step: 'marking' });
    } catch (error) {
      if (!(error instanceof JournalBroken)) throw error;
      this.#change({ step: 'failed', reason: error.message });
    }
  }

  async #mark(): Promise<void> {
    const { d1, shard, projector, now } = this.#host;
    const outcome = await projector.interruptedBy(() => beginEmptying(d1, shard, now()));
    this.#change(
      outcome.type === 'begun'
        ? { step: 'writing' }
        : { step: 'failed', reason: `D1 has rows of ${outcome.shard}, too` },
    );
  }

  #change(change: Partial<RebuildRecord>): void {
    if (this.#record !== null) this.#save({ ...this.#record, ...change });
  }

  #save(record: RebuildRecord): void {
    this.#record = record;
    this.#host.journal.saveRebuild(record);
  }
}

function phaseOf({ step, to }: RebuildRecord, isEmptying: boolean, cursor: number): RebuildProgress['phase'] {
  if (step === 'verifying' || step === 'failed') return step;
  if (step === 'marking' || isEmptying) return 'emptying';
  return cursor >= to ? 'done' : 'writing';
}
