import { type StoredRow, sha256 } from '../../domain/ledger/journal-chain.ts';
import { type JournalSegment, segmentKey, segmentOf, segmentText } from '../../domain/ledger/journal-segment.ts';
import { segmentRows } from '../../domain/ledger/journal-source.ts';
import type { LedgerJournal } from './ledger-journal.ts';
import type { LedgerSettings } from './ledger-settings.ts';

/** Where the sealing can be killed; tests kill it at each. */
export type SealPoint = 'before_seal' | 'after_seal';

/** What the archive needs of the object that it runs in. */
export interface JournalArchiveHost {
  readonly storage: DurableObjectStorage;
  readonly bucket: R2Bucket;
  readonly shard: string;
  readonly journal: LedgerJournal;
  readonly settings: LedgerSettings;
  now(): number;
  /** Rows have been sealed: they may be pruned. */
  sealed(): void;
  /** Kicks the archive at this time, whatever happens to this instance. */
  wakeAt(time: number): void;
  warn(reason: string): void;
  /** Waits in tests only. */
  step(point: SealPoint): Promise<void> | undefined;
}

/**
 * Seals the journal into R2: consecutive rows an object, in order, one upload in flight. A segment that was begun is uploaded as it is
 * until it is there, and what is there is never overwritten.
 */
export class JournalArchive {
  readonly #host: JournalArchiveHost;
  /** Text of the rows that are not sealed, and when the oldest of them was written. */
  #bytesUnsealed: number;
  #oldestTime: number | null;
  #running = false;
  #isStopped = false;
  #retryAt = 0;
  #delay_ms: number;

  constructor(host: JournalArchiveHost) {
    this.#host = host;
    const { journal, settings } = host;
    this.#delay_ms = settings.sealRetry_ms_min;
    this.#bytesUnsealed = journal.bytesAfter(journal.segments.sealed);
    this.#oldestTime = journal.timeOf(journal.segments.sealed + 1);
  }

  /** Whether so much is not sealed, and cannot be pruned, that nothing new must be admitted. */
  get isFarBehind(): boolean {
    return this.#bytesUnsealed >= this.#host.settings.unsealedBytesMax;
  }

  get bytesUnsealed(): number {
    return this.#bytesUnsealed;
  }

  /** When there is something to seal; null while everything is sealed. */
  get dueAt(): number | null {
    const { journal, settings } = this.#host;
    if (this.#oldestTime === null) return null;
    const rows = journal.head.seq - journal.segments.sealed;
    const isFull = rows >= settings.segmentRows || this.#bytesUnsealed >= settings.segmentBytes;
    return Math.max(this.#retryAt, isFull ? 0 : this.#oldestTime + settings.sealAfter_ms);
  }

  /** The next row of the journal. */
  push(time: number, bytes: number): void {
    this.#bytesUnsealed += bytes;
    this.#oldestTime ??= time;
    this.kick();
  }

  kick(): void {
    if (!this.#running && this.#isDue()) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Rows after `seq`, to the end of the sealed segment that has the next one; none when that is not sealed.
   *
   * @throws JournalBroken when the segment is missing or is not what was sealed; any other error: R2 did not answer
   */
  async rowsAfter(seq: number): Promise<StoredRow[]> {
    const { bucket, shard, journal } = this.#host;
    const segment = journal.segments.having(seq + 1);
    if (segment === null) return [];
    const segmentText = async (key: string): Promise<string | null> => (await bucket.get(key))?.text() ?? null;
    const rows = await segmentRows({ segmentText }, segmentKey(shard, segment), segment);
    return rows.filter((row) => row.seq > seq);
  }

  #isDue(): boolean {
    const { dueAt } = this;
    return !this.#isStopped && dueAt !== null && dueAt <= this.#host.now();
  }

  async #run(): Promise<void> {
    this.#running = true;
    const { sealRetry_ms_min, sealRetry_ms_max } = this.#host.settings;
    try {
      // Not within the turn of the commit that kicks it.
      await new Promise((resolve) => setTimeout(resolve, 0));
      while (this.#isDue()) {
        await this.#sealNext();
        this.#delay_ms = sealRetry_ms_min;
      }
    } catch (error) {
      this.#host.warn(error instanceof Error ? error.message : String(error));
      this.#retryAt = this.#host.now() + this.#delay_ms;
      this.#delay_ms = Math.min(sealRetry_ms_max, this.#delay_ms * 2);
    } finally {
      this.#running = false;
    }
    if (this.dueAt !== null && !this.#isStopped) this.#host.wakeAt(this.dueAt);
  }

  async #sealNext(): Promise<void> {
    const { storage, journal, step } = this.#host;
    const { segment, rows } = this.#nextSegment();
    await storage.sync();
    await step('before_seal');
    await this.#upload(segment, rows);
    await step('after_seal');
    journal.segments.seal(segment);
    this.#bytesUnsealed -= rows.reduce((sum, { text }) => sum + text.length, 0);
    this.#oldestTime = journal.timeOf(segment.last + 1);
    this.#host.sealed();
  }

  #nextSegment(): { segment: JournalSegment; rows: readonly StoredRow[] } {
    const { journal, settings } = this.#host;
    const { segments } = journal;
    const { begun, sealed } = segments;
    if (begun !== null) {
      const rows = journal.storedRows(sealed, begun.last - sealed, Number.POSITIVE_INFINITY);
      return { segment: begun, rows };
    }
    const rows = journal.storedRows(sealed, settings.segmentRows, settings.segmentBytes);
    const segment = segmentOf(rows, segments.sealedHash);
    segments.begin(segment);
    return { segment, rows };
  }

  async #upload(segment: JournalSegment, rows: readonly StoredRow[]): Promise<void> {
    const { bucket, shard } = this.#host;
    const key = segmentKey(shard, segment);
    const text = segmentText(rows);
    const hash = sha256(text);
    const written = await bucket.put(key, text, {
      onlyIf: { etagDoesNotMatch: '*' },
      sha256: hash,
      httpMetadata: { contentType: 'application/jsonl' },
      customMetadata: metadataOf(segment),
    });
    if (written !== null) return;
    const there = await bucket.head(key);
    if (there?.checksums.toJSON().sha256 !== hash) throw new Error(`R2 has something else under ${key}`);
  }
}

function metadataOf(segment: JournalSegment): Record<string, string> {
  return Object.fromEntries(Object.entries(segment).map(([name, value]) => [name, String(value)]));
}
