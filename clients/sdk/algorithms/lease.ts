import type { AlgorithmState } from './algorithm.ts';

/** Who runs a state, and until when nobody else may. */
export interface Lease {
  /** Words by which a person finds it. */
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** What is stored of a run. */
export interface Kept<S extends AlgorithmState> {
  readonly state: S;
  /** Null where nobody runs it. */
  readonly lease: Lease | null;
}

/** Keeps the state of one run for one runner at a time. */
export interface StateStore<S extends AlgorithmState> {
  /** Where its runners are, in words by which a person finds them; each runner adds a name of its own. */
  readonly holder: string;
  /** What is kept, and its version, which begins at 1; null for nothing. */
  read(): Promise<{ readonly kept: Kept<S>; readonly version: number } | null>;
  /**
   * Compare and set: keeps `next` as the version behind this one, 0 for nothing, and says whether it is kept. It is not where that version is there
   * already.
   */
  swap(version: number, next: Kept<S>): Promise<boolean>;
  /** Whether a holder is known to run no more: its lease has ended then. Others are waited for until their time is over. */
  isGone?(holder: string): boolean;
}

/** A lease is for so long, and is renewed when a third of it is over. Clocks of two machines may differ by less than the rest. @internal */
export const LEASE_MS = 30_000;
export const RENEW_MS = LEASE_MS / 3;

/** Another runner has the state. */
export class StateHeld extends Error {
  readonly lease: Lease;

  constructor(lease: Lease) {
    super(`the state is run by ${lease.holder}, until ${new Date(lease.until).toISOString()} at least`);
    this.name = 'StateHeld';
    this.lease = lease;
  }
}

/** A state under our lease: whatever is kept renews it, and nothing is kept once another runner has it. */
export class LeasedState<S extends AlgorithmState> {
  readonly #store: StateStore<S>;
  readonly #now: () => number;
  readonly #holder: string;
  #version = 0;
  #state: S;
  #until = 0;
  /** One swap after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: StateStore<S>, fresh: S, now: () => number) {
    this.#store = store;
    this.#state = fresh;
    this.#now = now;
    this.#holder = `${store.holder} ${crypto.randomUUID()}`;
  }

  /**
   * Takes the lease; resolves with the state that is kept, or the fresh one where there is none.
   *
   * @throws StateHeld where another runner has it
   */
  take(): Promise<S> {
    return this.#inTurn(async () => {
      const { id, algorithm } = this.#state;
      for (;;) {
        const found = await this.#store.read();
        if (found !== null && (found.kept.state.id !== id || found.kept.state.algorithm !== algorithm))
          throw new RangeError(`the store has the run ${found.kept.state.id} of ${found.kept.state.algorithm}`);
        const lease = found?.kept.lease ?? null;
        if (lease !== null && this.#isHeld(lease)) throw new StateHeld(lease);
        this.#version = found?.version ?? 0;
        if (await this.#swap(found?.kept.state ?? this.#state)) return this.#state;
      }
    });
  }

  /** @throws StateHeld where another runner has it meanwhile */
  keep(state: S): Promise<void> {
    return this.#inTurn(() => this.#keep(state));
  }

  /** Renews the lease. @throws StateHeld, too */
  renew(): Promise<void> {
    return this.#inTurn(() => this.#keep(this.#state));
  }

  /** Whether something may be sent: a process that was stopped for a while finds here that others may have gone on. */
  get isDue(): boolean {
    return this.#now() >= this.#until - LEASE_MS + RENEW_MS;
  }

  /** Lets others have the state. Where that fails, the lease ends by itself. */
  release(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#until === 0) return;
      this.#until = 0;
      await this.#store.swap(this.#version, { state: this.#state, lease: null });
    }).catch(() => {});
  }

  #isHeld({ holder, until }: Lease): boolean {
    return until > this.#now() && holder !== this.#holder && this.#store.isGone?.(holder) !== true;
  }

  async #keep(state: S): Promise<void> {
    if (await this.#swap(state)) return;
    const found = await this.#store.read();
    const lease = found?.kept.lease ?? null;
    // One of ours whose answer was lost.
    if (found !== null && lease?.holder === this.#holder) {
      this.#version = found.version;
      if (await this.#swap(state)) return;
    }
    this.#until = 0;
    throw new StateHeld(lease ?? { holder: 'another runner, which has ended', until: this.#now() });
  }

  async #swap(state: S): Promise<boolean> {
    const until = this.#now() + LEASE_MS;
    const isKept = await this.#store.swap(this.#version, { state, lease: { holder: this.#holder, until } });
    if (!isKept) return false;
    this.#version += 1;
    this.#state = state;
    this.#until = until;
    return true;
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(run);
    this.#turn = done.catch(() => {});
    return done;
  }
}
