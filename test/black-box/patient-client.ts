import { setTimeout as wait } from 'node:timers/promises';

const FIRST_REQUESTS_AT_ONCE_MAX = 12;
const ANSWER_WAIT_MS = 10_000;
const REPEAT_WAIT_MS = 250;
/** Longer than an Idempotency-Key stays with a request that was lost with its isolate. */
const TRIES_MAX = 300;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The answer that ended the repetitions. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Address of the next page of a list; null at its end. */
  readonly next: string | null;
}

/** Repeats a request, unchanged, until it is answered: whatever the server does meanwhile, each request has one outcome. */
export class PatientClient {
  /** Requests that were sent again because their answer was lost. */
  lost = 0;
  /** Answers with status 500, each of which is a defect. */
  readonly bugs: string[] = [];
  #up = Promise.resolve();
  #free = FIRST_REQUESTS_AT_ONCE_MAX;
  readonly #queue: (() => void)[] = [];

  /** Sends nothing until `up` is fulfilled; what is in flight goes on. */
  holdUntil(up: Promise<void>): void {
    this.#up = up;
  }

  async ask(request: Request): Promise<Answer> {
    let last = 'nothing';
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      // A repetition waits for nobody: it may stand for seconds behind the first request with its Idempotency-Key.
      const answer = tries === 0 ? await this.#inTurn(() => this.#send(request)) : await this.#send(request);
      if (typeof answer === 'string') this.lost += 1;
      else if (isOutcome(answer)) return answer;
      else if (answer.status === 500)
        this.bugs.push(`${request.method} ${request.url}: ${JSON.stringify(answer.body)}`);
      last = typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`;
      await wait(REPEAT_WAIT_MS);
    }
    throw new Error(`${request.method} ${request.url} has no outcome; last seen: ${last}`);
  }

  /** The error where no answer came. */
  async #send({ method, url, headers, body }: Request): Promise<Answer | string> {
    await this.#up;
    try {
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WAIT_MS),
      });
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
      return { status: response.status, body: (await response.json()) as Answer['body'], next };
    } catch (error) {
      return String(error);
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

/** Rate limits, outages and a first request that is still running ask for a repetition. */
function isOutcome({ status, body }: Answer): boolean {
  if (status === 429 || status >= 500) return false;
  return status !== 409 || JSON.stringify(body).includes('xisting');
}
