import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import { isSlowAnswer } from '../../../domain/webhooks/slow-answer.ts';
import {
  type Claim,
  type EndedAttempt,
  type EndedTry,
  type GivenMessage,
  type GivenMessages,
  type SendingTerms,
  webhookEndpointOf,
} from '../../../durable-objects/webhook-endpoint/api.ts';
import { send } from '../../../durable-objects/webhook-sending/send.ts';
import { askAgain } from '../../objects/ask-again.ts';

type CarryingEnv = Pick<Env, 'WEBHOOK_ENDPOINT'>;

/** Messages of one endpoint that are under way at once in an invocation; one where there are so many endpoints that each needs a place. */
const AT_ONCE = 2;
const ENDPOINTS_OF_ONE_MIN = 3;
/** Requests that an invocation has under way at once: the runtime has six, and a seventh would wait while its time runs. */
const REQUESTS_AT_ONCE = 5;
/** Of these, requests to endpoints that answer slowly: the others' places are kept for those that do not. */
const SLOW_AT_ONCE = 2;
/** Requests of an invocation, each of which the object is told of: it may make 1,000 calls. */
const REQUESTS_MAX = 400;
/** Failures in a row after which the rest is left to the object, which knows how the endpoint does. */
const FAILURES_MAX = 3;
/** No further message is sent after so long. One that is under way ends within ten seconds more. */
const SENDING_MS_MAX = 10 * SECOND_MS;
/** How many tries are noted at once at most, and after how long: a crash sends those again that were not noted. */
const NOTED_AT_ONCE_MAX = 25;
const NOTED_AFTER_MS = 100;

/** What an invocation that carries messages of several endpoints may do in all. */
export class Carriage {
  readonly #until = Date.now() + SENDING_MS_MAX;
  /** Requests that each endpoint may make, and how many of them at once. */
  readonly requestsMax: number;
  readonly atOnce: number;
  #free = REQUESTS_AT_ONCE;
  #slow = 0;
  readonly #waiting: { readonly isSlow: boolean; readonly begin: () => void }[] = [];

  constructor(endpoints: number) {
    this.requestsMax = Math.max(1, Math.floor(REQUESTS_MAX / endpoints));
    this.atOnce = endpoints < ENDPOINTS_OF_ONE_MIN ? AT_ONCE : 1;
  }

  get isOver(): boolean {
    return Date.now() >= this.#until;
  }

  /** Does it once a request is free, in turn; null where it is over by then. Of endpoints that answer slowly, so few at once that they hold up nobody else. */
  async withRequest<T>(isSlow: boolean, request: () => Promise<T>): Promise<T | null> {
    await new Promise<void>((begin) => {
      this.#waiting.push({ isSlow, begin });
      this.#beginNext();
    });
    try {
      return this.isOver ? null : await request();
    } finally {
      this.#free += 1;
      if (isSlow) this.#slow -= 1;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    while (this.#free > 0) {
      const at = this.#waiting.findIndex(({ isSlow }) => !isSlow || this.#slow < SLOW_AT_ONCE);
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#free -= 1;
      if (next.isSlow) this.#slow += 1;
      next.begin();
    }
  }
}

/** Sends messages that an endpoint's object has given out, and tells it what came of each. */
export async function carryMessages(
  env: CarryingEnv,
  endpoint: string,
  given: GivenMessages,
  carriage: Carriage,
): Promise<void> {
  await new Carrying(env, endpoint, given, carriage).run();
}

class Carrying {
  readonly #env: CarryingEnv;
  readonly #endpoint: string;
  readonly #carriage: Carriage;
  readonly #waiting: GivenMessage[];
  #terms: SendingTerms;
  #ended: EndedTry[] = [];
  #notedAt = Date.now();
  #failures = 0;
  #requests = 0;
  #isOver = false;
  #isSlow: boolean;

  constructor(env: CarryingEnv, endpoint: string, { terms, messages, isSlow }: GivenMessages, carriage: Carriage) {
    this.#env = env;
    this.#endpoint = endpoint;
    this.#carriage = carriage;
    this.#terms = terms;
    this.#waiting = [...messages];
    this.#isSlow = isSlow;
  }

  async run(): Promise<void> {
    const workers = await Promise.allSettled(Array.from({ length: this.#carriage.atOnce }, () => this.#sendAll()));
    const left = this.#waiting.splice(0).map(({ sequence, claim }) => ({ sequence, claim }));
    if (left.length > 0 || this.#ended.length > 0) await this.#note(left, false);
    for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  }

  async #sendAll(): Promise<void> {
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const attempt = await this.#send(message);
      if (attempt === null) return;
      this.#failures = attempt.error === null ? 0 : this.#failures + 1;
      // A receiver that hangs keeps no further connection.
      if (attempt.error === 'timeout') this.#isOver = true;
      const isLate = Date.now() >= this.#notedAt + NOTED_AFTER_MS;
      // What comes next in a line is known once this one is noted.
      if (message.isInLine || isLate || this.#ended.length >= NOTED_AT_ONCE_MAX) await this.#note([], message.isInLine);
    }
    // Another one may be under way for long.
    if (this.#ended.length > 0) await this.#note([], false);
  }

  /** Null where the time was over before it was sent. */
  async #send(message: GivenMessage): Promise<EndedAttempt | null> {
    const terms = this.#terms;
    const attempt = await this.#carriage.withRequest(this.#isSlow, async () => {
      const at = Date.now();
      const ended = await send({ ...terms, ...message });
      return { ...ended, at, durationMs: Date.now() - at };
    });
    if (attempt === null) this.#waiting.unshift(message);
    else {
      const { sequence, claim } = message;
      this.#ended.push({ sequence, claim, generation: terms.generation, attempt });
      this.#isSlow = isSlowAnswer(attempt);
    }
    return attempt;
  }

  #next(): GivenMessage | undefined {
    if (this.#isOver || this.#carriage.isOver || this.#failures >= FAILURES_MAX) return undefined;
    if (this.#requests >= this.#carriage.requestsMax) return undefined;
    const message = this.#waiting.shift();
    if (message !== undefined) this.#requests += 1;
    return message;
  }

  async #note(left: readonly Claim[], isInLine: boolean): Promise<void> {
    const ended = this.#ended.splice(0);
    this.#notedAt = Date.now();
    const { generation } = this.#terms;
    const goesOn = isInLine && !this.#carriage.isOver && this.#requests < this.#carriage.requestsMax;
    // Asked again where the object was lost: what has ended is noted once more, which changes nothing.
    const { mayGoOn, next } = await askAgain(() =>
      webhookEndpointOf(this.#env, this.#endpoint).record(ended, { left, generation, goesOn }),
    );
    if (next !== null) {
      this.#terms = next.terms;
      this.#waiting.push(...next.messages);
    } else if (!mayGoOn) this.#isOver = true;
  }
}
