import { type Failure, failureOf } from '../wire/failure.ts';
import {
  type Algorithm,
  type AlgorithmCommand,
  type AlgorithmEvent,
  type AlgorithmState,
  commandsOf,
} from './algorithm.ts';
import type { Venue } from './venue.ts';

interface RunnerOptions<S extends AlgorithmState> {
  readonly algorithm: Algorithm<S>;
  /** A fresh one, or the one that was stored last. */
  readonly state: S;
  readonly venue: Venue;
  /** Keeps a state before anything that follows from it is sent. Nothing is sent while it is not done; where it fails the runner stops. */
  readonly store: (state: S) => void | Promise<void>;
  /** Told of what keeps a command from being answered; it is sent again. */
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

const PLATFORM: RunnerSeams = {
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs one algorithm: takes events one after the other, stores each state, and sends what follows from it until it is answered. After a
 * restart, begin another with the stored state: it sends the same commands again, under the same client order ids. One run has one runner at
 * a time.
 */
export class AlgorithmRunner<S extends AlgorithmState> {
  /** The last state, once the algorithm has ended; rejected where a state could not be stored, or by `close`. */
  readonly ended: Promise<S>;
  readonly #options: RunnerOptions<S>;
  readonly #seams: RunnerSeams;
  readonly #aborted = new AbortController();
  readonly #inFlight = new Map<string, number>();
  readonly #events: AlgorithmEvent[] = [];
  readonly #stops = new Set<() => void>();
  /** Orders whose placement may have been sent, by this runner or the one before, and has no answer. */
  readonly #mayStand: Set<string>;
  #state: S;
  #isDraining = false;
  #stopWake: () => void = () => {};
  #resolve: (state: S) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(options: RunnerOptions<S>) {
    this.#options = options;
    this.#seams = { ...PLATFORM, ...options.seams };
    this.#state = options.state;
    const restored = Object.entries(options.state.orders).filter(([, { stage }]) => stage === 'placing');
    this.#mayStand = new Set(restored.map(([clientOrderId]) => clientOrderId));
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.ended.catch(() => {});
  }

  get state(): S {
    return this.#state;
  }

  /** Stores the state that it has, sends what follows from it, and reads the orders that were open. */
  async start(): Promise<void> {
    await this.#options.store(this.#state);
    this.#proceed();
    this.reread();
    this.#poll();
    this.tell({ type: 'time', at: this.#seams.now() });
  }

  tell(event: AlgorithmEvent): void {
    if (this.#aborted.signal.aborted) return;
    this.#events.push(event);
    if (!this.#isDraining) void this.#drain();
  }

  /** Cancels what is left; `ended` tells when that is done. */
  stop(): void {
    this.tell({ type: 'stop' });
  }

  /** Ends the runner and leaves the algorithm as it is: whoever has its state may go on. */
  close(reason: unknown = new Error('the runner was closed')): void {
    this.#aborted.abort(reason);
    this.#stopWake();
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    this.#reject(reason);
  }

  /** Reads every open order: after a feed was interrupted, its events may be missing. */
  reread(): void {
    for (const [clientOrderId, { stage }] of Object.entries(this.#state.orders)) {
      if (stage === 'open')
        this.#send(`read ${clientOrderId}`, () => this.#options.venue.read(clientOrderId, this.#aborted.signal));
    }
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
        const next = this.#options.algorithm.step(this.#state, event);
        if (next === this.#state) continue;
        await this.#options.store(next);
        this.#state = next;
        if (this.#aborted.signal.aborted) return;
        this.#proceed();
      }
      this.#wake();
    } catch (error) {
      this.close(error);
    } finally {
      this.#isDraining = false;
    }
  }

  #proceed(): void {
    if (this.#state.stage === 'ended') {
      const state = this.#state;
      this.#resolve(state);
      this.close();
      return;
    }
    for (const command of commandsOf(this.#state))
      this.#send(`${command.type} ${command.clientOrderId}`, () => this.#sent(command));
  }

  async #sent(command: AlgorithmCommand): Promise<AlgorithmEvent> {
    const { venue } = this.#options;
    const { signal } = this.#aborted;
    if (command.type === 'cancel') return await venue.cancel(command.clientOrderId, signal);
    // The exchange forgets ids of orders that ended long ago: one that may have been placed before is looked for first.
    const existing = this.#mayStand.has(command.clientOrderId) ? await venue.read(command.clientOrderId, signal) : null;
    this.#mayStand.add(command.clientOrderId);
    const event = existing ?? (await venue.place(command, signal));
    this.#mayStand.delete(command.clientOrderId);
    return event;
  }

  /** Makes a call once at a time, and again until it is answered. */
  #send(name: string, call: () => Promise<AlgorithmEvent | null>): void {
    if (this.#inFlight.has(name)) return;
    this.#inFlight.set(name, 1);
    void this.#repeat(name, call);
  }

  async #repeat(name: string, call: () => Promise<AlgorithmEvent | null>): Promise<void> {
    if (this.#aborted.signal.aborted) return;
    try {
      const event = await call();
      this.#inFlight.delete(name);
      if (event !== null) this.tell(event);
    } catch (error) {
      if (this.#aborted.signal.aborted) return;
      const failure = failureOf(error);
      if (failure === null) {
        this.close(error);
        return;
      }
      this.#options.onTrouble?.(failure);
      const tries = this.#inFlight.get(name) ?? 1;
      this.#inFlight.set(name, tries + 1);
      this.#later(() => void this.#repeat(name, call), Math.min(WAIT_MS_MAX, WAIT_FIRST_MS * 2 ** (tries - 1)));
    }
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
