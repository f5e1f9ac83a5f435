/** What one flush costs the runtime for each socket, several times over: the rest of the object's time is for what it tells of. */
const REST_MS_PER_SOCKET = 0.1;
/** No message waits longer than this because others have just left. */
const REST_MS_MAX = 100;

/**
 * When the messages of one topic leave. The first leaves at once; what comes soon after a flush to many sockets waits and leaves
 * together with what follows it. The runtime writes to each socket once a turn, and ten messages in one write cost it less than two
 * messages in two. With few followers, or little to say, nothing waits.
 */
export class PacedTopic {
  /** Sends these, in order, to all who follow the topic, and says how many they are. */
  readonly #send: (texts: readonly string[]) => number;
  #waiting: string[] = [];
  #restUntil = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(send: (texts: readonly string[]) => number) {
    this.#send = send;
  }

  publish(text: string): void {
    this.#waiting.push(text);
    if (this.#timer !== null) return;
    const rest_ms = this.#restUntil - Date.now();
    if (rest_ms <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), rest_ms);
  }

  /** Sends what waits: when its time has come, or before someone joins, whose first message has it already. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    const leaving = this.#waiting;
    this.#waiting = [];
    const sockets = this.#send(leaving);
    this.#restUntil = Date.now() + Math.min(REST_MS_MAX, sockets * REST_MS_PER_SOCKET);
  }

  /** Nobody follows it any more. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
  }
}
