import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { SentMessage, SessionStore } from '../session/session-store.ts';

/** One line of the file. */
type StoreRecord =
  | { readonly type: 'created'; readonly at_ms: number; readonly sender: number; readonly target: number }
  | { readonly type: 'sent'; readonly sequence: number; readonly text: string | null }
  | { readonly type: 'target'; readonly sequence: number }
  | { readonly type: 'accepted'; readonly sequence: number; readonly text: string }
  | { readonly type: 'answered'; readonly sequence: number }
  | { readonly type: 'state'; readonly key: string; readonly value: unknown };

/** Messages kept for a ResendRequest; older ones are answered by a gap fill. */
const SENT_MAX = 100_000;
/** A file that has grown by this much is written anew, without what is no longer needed. */
const GROWTH_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The store of one session: a file of one record a line that only grows, so that what was written survives the process, killed at any
 * time. Records of one turn are written together by `flush`; a line that was cut off is as if never written. Application state stands in
 * the same file, so a message and the state that follows from it are there both or not at all.
 */
export class SessionFile implements SessionStore {
  readonly #path: string;
  #file = -1;
  #pending = '';
  #size_bytes = 0;
  #grown_bytes = 0;
  /** The file says what no longer holds. */
  #isRewriteDue = false;
  #createdAt_ms = 0;
  #nextSender = 1;
  #nextTarget = 1;
  #sent = new Map<number, string | null>();
  /** By sequence number; after a reset a number may stand for a second message. */
  #accepted = new Map<number, string[]>();
  #state = new Map<string, unknown>();

  constructor(path: string, now_ms: number) {
    this.#path = path;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    for (const line of whole.split('\n')) if (line !== '') this.#apply(JSON.parse(line) as StoreRecord);
    if (whole === '') this.#createdAt_ms = now_ms;
    if (whole === '' || whole.length !== text.length || whole.length > GROWTH_BYTES_MAX) this.#rewrite();
    else {
      this.#file = openSync(path, 'a', 0o600);
      this.#size_bytes = fstatSync(this.#file).size;
    }
  }

  get createdAt_ms(): number {
    return this.#createdAt_ms;
  }

  get nextSender(): number {
    return this.#nextSender;
  }

  get nextTarget(): number {
    return this.#nextTarget;
  }

  /** Accepted and not answered yet, in their sequence. */
  get unanswered(): readonly (readonly [sequence: number, text: string])[] {
    return [...this.#accepted].flatMap(([sequence, texts]) => texts.map((text) => [sequence, text] as const));
  }

  sent(begin: number, end: number): SentMessage[] {
    const found: SentMessage[] = [];
    for (let sequence = Math.max(begin, this.#nextSender - SENT_MAX); sequence <= end; sequence++) {
      const text = this.#sent.get(sequence);
      if (text !== undefined) found.push({ sequence, text });
    }
    return found;
  }

  recordSent({ sequence, text }: SentMessage): void {
    this.#record({ type: 'sent', sequence, text });
  }

  recordNextTarget(sequence: number): void {
    this.#record({ type: 'target', sequence });
  }

  recordAccepted(sequence: number, text: string): void {
    this.#record({ type: 'accepted', sequence, text });
  }

  /** The application has answered, or an answer is not due: the message is not processed again. */
  recordAnswered(sequence: number): void {
    this.#record({ type: 'answered', sequence });
  }

  /** Application state; null removes it. */
  putState(key: string, value: unknown): void {
    this.#record({ type: 'state', key, value });
  }

  state<Value>(prefix: string): [key: string, value: Value][] {
    return [...this.#state].filter(([key]) => key.startsWith(prefix)) as [string, Value][];
  }

  reset(now_ms: number): void {
    this.#createdAt_ms = now_ms;
    this.#nextSender = 1;
    this.#nextTarget = 1;
    this.#sent.clear();
    this.#isRewriteDue = true;
    this.#rewrite();
  }

  /**
   * Writes what was recorded; it survives this process from here on.
   *
   * @throws when the disk does not take it: nothing of it is written then, and the next call writes it
   */
  flush(): void {
    if (this.#isRewriteDue) this.#rewrite();
    if (this.#pending === '') return;
    const bytes = Buffer.from(this.#pending);
    writeWhole(this.#file, bytes, this.#size_bytes);
    this.#pending = '';
    this.#size_bytes += bytes.length;
    this.#grown_bytes += bytes.length;
    if (this.#grown_bytes > GROWTH_BYTES_MAX) this.#rewrite();
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #record(record: StoreRecord): void {
    this.#pending += `${JSON.stringify(record)}\n`;
    this.#apply(record);
  }

  #apply(record: StoreRecord): void {
    switch (record.type) {
      case 'created':
        this.#createdAt_ms = record.at_ms;
        this.#nextSender = record.sender;
        this.#nextTarget = record.target;
        return;
      case 'sent':
        this.#sent.set(record.sequence, record.text);
        this.#sent.delete(record.sequence - SENT_MAX);
        this.#nextSender = record.sequence + 1;
        return;
      case 'target':
        this.#nextTarget = record.sequence;
        return;
      case 'accepted':
        this.#accepted.set(record.sequence, [...(this.#accepted.get(record.sequence) ?? []), record.text]);
        this.#nextTarget = record.sequence + 1;
        return;
      case 'answered':
        this.#answer(record.sequence);
        return;
      case 'state':
        if (record.value === null) this.#state.delete(record.key);
        else this.#state.set(record.key, record.value);
    }
  }

  /** The application answers in the order in which it has taken. */
  #answer(sequence: number): void {
    const rest = this.#accepted.get(sequence)?.slice(1) ?? [];
    if (rest.length === 0) this.#accepted.delete(sequence);
    else this.#accepted.set(sequence, rest);
  }

  /** Replaces the file by one that says the same, in one step. */
  #rewrite(): void {
    const records: StoreRecord[] = [
      ...[...this.#state].map(([key, value]) => ({ type: 'state', key, value }) as const),
      ...[...this.#sent].map(([sequence, text]) => ({ type: 'sent', sequence, text }) as const),
      ...this.unanswered.map(([sequence, text]) => ({ type: 'accepted', sequence, text }) as const),
      { type: 'created', at_ms: this.#createdAt_ms, sender: this.#nextSender, target: this.#nextTarget },
    ];
    const beside = `${this.#path}.next`;
    const file = openSync(beside, 'w', 0o600);
    const bytes = Buffer.from(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
    try {
      writeWhole(file, bytes, 0);
      renameSync(beside, this.#path);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = file;
    this.#size_bytes = bytes.length;
    this.#grown_bytes = 0;
    this.#pending = '';
    this.#isRewriteDue = false;
  }
}

/** Adds to a file of that size all bytes or none: a disk that is full takes some. */
function writeWhole(file: number, bytes: Buffer, size_bytes: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, size_bytes + at);
  } catch (error) {
    ftruncateSync(file, size_bytes);
    throw error;
  }
}
