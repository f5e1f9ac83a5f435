import { type Failure, failureOf } from '../wire/failure.ts';
import {
  type Algorithm,
  type AlgorithmCommand,
  type AlgorithmEvent,
  type AlgorithmState,
  commandsOf,
} from './algorithm.ts';
import { LeasedState, RENEW_MS, StateHeld, type StateStore } from './lease.ts';
import type { Venue } from './venue.ts';

interface RunnerOptions<S extends AlgorithmState> {
  readonly algorithm: Algorithm<S>;
  /** A fresh one, or the one that was stored last. Where a `StateStore` has one already, the runner goes on from that. */
  readonly state: S;
  readonly venue: Venue;
  /**
   * Keeps a state before anything that follows from it is sent. Nothing is sent while it is not done; where it fails the runner stops. With a `StateStore` one
   * runner has the state at a time; whoever gives a function sees to that.
   */
  readonly store: StateStore<S> | ((state: S) => void | Promise<void>);
  /** Told of what keeps a command from being answered; it is asked again. */
  readonly onTrouble?: (failure: Failure) => void;
  /** Open orders are read so often, whatever the feed has said. */
  readonly pollMs?: number;
  readonly seams?: Partial<RunnerSeams>;
}

/** Time, so that a test owns it. */
interface RunnerSeams {
  now(): number;
  later(run: () => void, ms: number): () => void;
}

const POLL_MS = 10_000;
const WAIT_FIRST_MS = 250;
const WAIT_MS_MAX = 30_000;
/** Timers of the platform end at 2^31 ms. */
const TIMER_MS_MAX = 3_600_000;
/** A signature may be dated up to 30 s ahead and holds for 30 s: what was sent so long ago cannot arrive any more. */
const ARRIVES_WITHIN_MS = 60_000;

const PLATFORM: RunnerSeams = {
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs one algorithm: takes events one after the other, stores each state, and sends what follows from it until it is answered. After a
 * restart, begin another with the stored state: it sends the same commands again, under the same client order ids. A run has one runner at
 * a time, which a `StateStore` sees to.
 */
export class AlgorithmRunner<S extends AlgorithmState> {
  /** The last state, once the algorithm has ended; rejected where a state could not be stored, or by `close`. */
  readonly ended: Promise<S>;
  readonly #options: RunnerOptions<S>;
  readonly #seams: RunnerSeams;
  readonly #aborted = new AbortController();
  /** What is being asked for an order, by client order id; ended where it is to be asked something else. */
  readonly #asking = new Map<string, { type: AlgorithmCommand['type']; ended: AbortController }>();
  readonly #reading = new Set<string>();
  readonly #events: { readonly event: AlgorithmEvent; readonly taken: () => void }[] = [];
  readonly #stops = new Set<() => void>();
  /** When a placement without an answer may have been sent last, by this runner or the one before. */
  readonly #sentAt = new Map<string, number>();
  readonly #lease: LeasedState<S> | null;
  #state: S;
  #isDraining = false;
  #stopWake: () => void = () => {};
  #resolve: (state: S) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(options: RunnerOptions<S>) {
    this.#options = options;
    this.#seams = { ...PLATFORM, ...options.seams };
    this.#state = options.state;
    const { store } = options;
    this.#lease = typeof store === 'function' ? null : new LeasedState(store, options.state, this.#seams.now);
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => {});
  }

  get state(): S {
    return this.#state;
  }

  /**
   * Stores the state that it has, sends what follows from it, and reads the orders that were open.
   *
   * @throws StateHeld where another runner has the state: it says which
   */
  async start(): Promise<void> {
    try {
      if (this.#lease === null) await this.#keep(this.#state);
      else this.#state = await this.#lease.take();
    } catch (error) {
      void this.close(error);
      throw error;
    }
    for (const [clientOrderId, { stage }] of Object.entries(this.#state.orders)) {
      if (stage === 'placing') this.#sentAt.set(clientOrderId, this.#seams.now());
    }
    if (this.#lease !== null) this.#renewLater(this.#lease);
    this.#proceed();
    this.reread();
    this.#poll();
    this.tell({ type: 'time', at: this.#seams.now() });
  }

  tell(event: AlgorithmEvent): void {
    // The answer to its placement has the details, too; where none comes the order is read.
    if (event.type === 'order' && event.isRejected && this.#isPlacing(event.clientOrderId)) return;
    void this.#told(event);
  }

  #isPlacing(clientOrderId: string): boolean {
    return this.#asking.get(clientOrderId)?.type === 'place' && this.#state.orders[clientOrderId]?.stage === 'placing';
  }

  /** Done once the event has been taken. */
  #told(event: AlgorithmEvent): Promise<void> {
    if (this.#aborted.signal.aborted) return Promise.resolve();
    return new Promise((taken) => {
      this.#events.push({ event, taken });
      if (!this.#isDraining) void this.#drain();
    });
  }

  /** Cancels what is left; `ended` tells when that is done. */
  stop(): void {
    this.tell({ type: 'stop' });
  }

  /** Ends the runner and leaves the algorithm as it is: whoever has its state may go on, at once where this is done. */
  async close(reason: unknown = new Error('the runner was closed')): Promise<void> {
    this.#aborted.abort(reason);
    this.#stopWake();
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    this.#reject(reason);
    if (!(reason instanceof StateHeld)) await this.#lease?.release();
  }

  /** Reads every order that stands: after a feed was interrupted, its events may be missing. */
  reread(): void {
    for (const [clientOrderId, { stage }] of Object.entries(this.#state.orders)) {
      if (stage !== 'placing') void this.#read(clientOrderId);
    }
  }

  async #read(clientOrderId: string): Promise<void> {
    if (this.#reading.has(clientOrderId)) return;
    this.#reading.add(clientOrderId);
    for (let tries = 1; !this.#aborted.signal.aborted && clientOrderId in this.#state.orders; tries++) {
      try {
        const event = await this.#options.venue.read(clientOrderId, this.#aborted.signal);
        if (event !== null) await this.#told(event);
        break;
      } catch (error) {
        this.#troubled(error, this.#aborted.signal);
        await this.#pause(tries, this.#aborted.signal);
      }
    }
    this.#reading.delete(clientOrderId);
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
        await this.#take(next.event);
        next.taken();
        if (this.#aborted.signal.aborted) return;
      }
      this.#wake();
    } catch (error) {
      void this.close(error);
    } finally {
      this.#isDraining = false;
    }
  }

  async #take(event: AlgorithmEvent): Promise<void> {
    const next = this.#options.algorithm.step(this.#state, event);
    if (next === this.#state) return;
    await this.#keep(next);
    this.#state = next;
    if (!this.#aborted.signal.aborted) this.#proceed();
  }

  #proceed(): void {
    if (this.#state.stage === 'ended') {
      void this.#finish(this.#state);
      return;
    }
    for (const { type, clientOrderId } of commandsOf(this.#state)) {
      const asking = this.#asking.get(clientOrderId);
      if (asking === undefined) void this.#ask(clientOrderId);
      else if (asking.type !== type) asking.ended.abort();
    }
  }

  async #finish(state: S): Promise<void> {
    await this.#lease?.release();
    this.#resolve(state);
    await this.close();
  }

  async #keep(state: S): Promise<void> {
    if (this.#lease !== null) await this.#lease.keep(state);
    else if (typeof this.#options.store === 'function') await this.#options.store(state);
  }

  #renewLater(lease: LeasedState<S>): void {
    this.#later(() => {
      void this.#renew(lease).then((isOurs) => isOurs && this.#renewLater(lease));
    }, RENEW_MS);
  }

  /** Ends the runner where the state is another one's. */
  async #renew(lease: LeasedState<S>): Promise<boolean> {
    try {
      if (!this.#aborted.signal.aborted && this.#state.stage !== 'ended') await lease.renew();
    } catch (error) {
      void this.close(error);
    }
    return !this.#aborted.signal.aborted;
  }

  /** Asks for what the state wants of an order, until it wants nothing more of it. */
  async #ask(clientOrderId: string): Promise<void> {
    let tries = 0;
    let last: AlgorithmCommand['type'] | null = null;
    for (;;) {
      const command = this.#commandOf(clientOrderId);
      if (command === undefined || this.#aborted.signal.aborted) break;
      if (command.type !== last) tries = 0;
      last = command.type;
      tries += 1;
      const ended = new AbortController();
      this.#asking.set(clientOrderId, { type: command.type, ended });
      const signal = AbortSignal.any([this.#aborted.signal, ended.signal]);
      try {
        // After a pause of the whole process another runner may have the state.
        if (this.#lease?.isDue && !(await this.#renew(this.#lease))) break;
        signal.throwIfAborted();
        const event = await this.#answered(command, signal);
        if (event !== null) await this.#told(event);
      } catch (error) {
        this.#troubled(error, signal);
      }
      // An answer that has not ended it, an old one of a cancel say, is no answer.
      if (this.#commandOf(clientOrderId)?.type === command.type) await this.#pause(tries, signal);
    }
    this.#asking.delete(clientOrderId);
    this.#sentAt.delete(clientOrderId);
  }

  #commandOf(clientOrderId: string): AlgorithmCommand | undefined {
    return commandsOf(this.#state).find((command) => command.clientOrderId === clientOrderId);
  }

  async #answered(command: AlgorithmCommand, signal: AbortSignal): Promise<AlgorithmEvent | null> {
    const { venue } = this.#options;
    const { clientOrderId } = command;
    if (command.type === 'cancel') return await venue.cancel(clientOrderId, signal);
    const sentAt = this.#sentAt.get(clientOrderId);
    const askedAt = this.#seams.now();
    // The exchange forgets ids of orders that ended long ago: one that may have been placed before is looked for first.
    const existing = sentAt === undefined ? null : await venue.read(clientOrderId, signal);
    if (existing !== null) return existing;
    if (command.type === 'withdraw')
      return sentAt === undefined || askedAt - sentAt > ARRIVES_WITHIN_MS ? { type: 'absent', clientOrderId } : null;
    signal.throwIfAborted();
    try {
      return await venue.place(command, signal);
    } catch (error) {
      this.#sentAt.set(clientOrderId, this.#seams.now());
      throw error;
    }
  }

  /** Whatever went wrong, the order may stand: it is asked again. */
  #troubled(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#options.onTrouble?.(failureOf(error) ?? { kind: 'no_answer', message: String(error) });
  }

  /** Ends early when the signal does. */
  #pause(tries: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const ended = () => {
        signal.removeEventListener('abort', ended);
        stop();
        resolve();
      };
      const stop = this.#later(ended, Math.min(WAIT_MS_MAX, WAIT_FIRST_MS * 2 ** (tries - 1)));
      signal.addEventListener('abort', ended);
    });
  }

  #wake(): void {
    this.#stopWake();
    const at = this.#options.algorithm.wakeAt(this.#state);
    if (at === null || this.#aborted.signal.aborted) return;
    const ms = Math.min(Math.max(0, at - this.#seams.now()), TIMER_MS_MAX);
    this.#stopWake = this.#later(() => this.tell({ type: 'time', at: this.#seams.now() }), ms);
  }

  #poll(): void {
    if (this.#aborted.signal.aborted) return;
    this.#later(() => {
      this.reread();
      this.#poll();
    }, this.#options.pollMs ?? POLL_MS);
  }

  #later(run: () => void, ms: number): () => void {
    const cancel = this.#seams.later(() => {
      this.#stops.delete(stop);
      run();
    }, ms);
    const stop = () => {
      this.#stops.delete(stop);
      cancel();
    };
    this.#stops.add(stop);
    return stop;
  }
}
