import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import {
  type EndedTry,
  type GivenMessage,
  type GivenMessages,
  type SendingTerms,
  webhookEndpointOf,
} from '../../../durable-objects/webhook-endpoint/api.ts';
import { send } from '../../../durable-objects/webhook-endpoint/send.ts';

type CarryingEnv = Pick<Env, 'WEBHOOK_ENDPOINT'>;

/** Messages of one endpoint that are under way at once: an invocation has six connections, which those of other endpoints need, too. */
const AT_ONCE = 2;
/** Failures in a row after which the rest is left to the object, which knows how the endpoint does. */
const FAILURES_MAX = 3;
/** No further message is sent after so long. One that is under way ends within ten seconds more. */
const SENDING_MS_MAX = 10 * SECOND_MS;
/** How many tries are noted at once at most, and after how long: a crash sends those again that were not noted. */
const NOTED_AT_ONCE_MAX = 25;
const NOTED_AFTER_MS = 100;

/** Sends messages that an endpoint's object has given out, and tells it what came of each. */
export async function carryMessages(env: CarryingEnv, endpoint: string, given: GivenMessages): Promise<void> {
  await new Carrying(env, endpoint, given).run();
}

class Carrying {
  readonly #env: CarryingEnv;
  readonly #endpoint: string;
  readonly #until = Date.now() + SENDING_MS_MAX;
  readonly #waiting: GivenMessage[];
  #terms: SendingTerms;
  #ended: EndedTry[] = [];
  #notedAt = Date.now();
  #failures = 0;

  constructor(env: CarryingEnv, endpoint: string, { terms, messages }: GivenMessages) {
    this.#env = env;
    this.#endpoint = endpoint;
    this.#terms = terms;
    this.#waiting = [...messages];
  }

  async run(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#sendAll()));
    } finally {
      const left = this.#waiting.splice(0).map(({ sequence }) => sequence);
      if (left.length > 0 || this.#ended.length > 0) await this.#note(left, false);
    }
  }

  async #sendAll(): Promise<void> {
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const { generation } = this.#terms;
      const at = Date.now();
      const attempt = await send({ ...this.#terms, ...message });
      this.#ended.push({
        sequence: message.sequence,
        generation,
        attempt: { ...attempt, at, durationMs: Date.now() - at },
      });
      this.#failures = attempt.error === null ? 0 : this.#failures + 1;
      // A receiver that hangs keeps no further connection.
      if (attempt.error === 'timeout' || this.#failures >= FAILURES_MAX) return;
      const isLate = Date.now() >= this.#notedAt + NOTED_AFTER_MS;
      // What comes next in a line is known once this one is noted.
      if (message.isInLine || isLate || this.#ended.length >= NOTED_AT_ONCE_MAX) await this.#note([], message.isInLine);
    }
  }

  #next(): GivenMessage | undefined {
    return Date.now() < this.#until && this.#failures < FAILURES_MAX ? this.#waiting.shift() : undefined;
  }

  async #note(left: readonly number[], isInLine: boolean): Promise<void> {
    const ended = this.#ended.splice(0);
    this.#notedAt = Date.now();
    const goesOn = isInLine && Date.now() < this.#until;
    const next = await webhookEndpointOf(this.#env, this.#endpoint).record(ended, { left, goesOn });
    if (next === null) return;
    this.#terms = next.terms;
    this.#waiting.push(...next.messages);
  }
}
