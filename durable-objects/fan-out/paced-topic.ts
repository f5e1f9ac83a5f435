/** What one flush is taken to cost for each socket, before it is known how long it takes. */
const REST_MS_PER_SOCKET = 0.1;
/** No rest is longer, so that no message waits longer because others have just left. */
const REST_MS_MAX = 100;
/** Fewer followers do not keep a thread busy: how long their flush takes is not looked at. */
const FOLLOWERS_TIMED_MIN = 8;

/**
 * When the messages of one topic leave. The first leaves at once; what comes soon after a flush waits and leaves together with what
 * follows it. The runtime writes to each socket once a turn, and ten messages in one write cost it less than two messages in two.
 *
 * A rest follows the load of the thread, which an object shares with others that it cannot see: a timer set with the flush rings when
 * the thread has written everything out. Where messages come faster than that, the rest lasts as long again, so that half of the time is
 * left for what they tell of; after a single message half as long, and never beyond a tenth of a second after it. With few followers, or
 * little to say, nothing waits.
 */
export class PacedTopic {
  /** Sends these, in order, to all who follow the topic, and says how many they are. */
  readonly #send: (texts: readonly string[]) => number;
  #waiting: string[] = [];
  #restUntil = 0;
  /** Rings when a flush has been written out, else when a rest is over that messages wait for. */
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: (texts: readonly string[]) => number) {
    this.#send = send;
  }

  /** What is handed in together leaves together. */
  publish(texts: readonly string[]): void {
    for (const text of texts) this.#waiting.push(text);
    if (this.#timer === null) this.#flushRested();
  }

  /** Sends what waits: when its time has come, or before someone joins, whose first message has it already. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#stopTimer();
    const leaving = this.#waiting;
    this.#waiting = [];
    const began_ms = Date.now();
    const sockets = this.#send(leaving);
    this.#restUntil = began_ms + Math.min(REST_MS_MAX, sockets * REST_MS_PER_SOCKET);
    if (sockets >= FOLLOWERS_TIMED_MIN) {
      this.#timer = setTimeout(() => this.#writtenOut(began_ms, leaving.length > 1 || this.#waiting.length > 0), 0);
    }
  }

  /** Nobody follows it any more. */
  end(): void {
    this.#stopTimer();
    this.#waiting = [];
  }

  #writtenOut(began_ms: number, isThick: boolean): void {
    const now_ms = Date.now();
    const until_ms = isThick
      ? now_ms + Math.min(REST_MS_MAX, now_ms - began_ms)
      : Math.min(began_ms + REST_MS_MAX, now_ms + (now_ms - began_ms) / 2);
    this.#restUntil = Math.max(this.#restUntil, until_ms);
    this.#timer = null;
    this.#flushRested();
  }

  #flushRested(): void {
    const rest_ms = this.#restUntil - Date.now();
    if (rest_ms <= 0) this.flush();
    else if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.flush(), rest_ms);
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
