import { idOf, type PendingCommand } from './pending-command.ts';

interface Queued {
  readonly pending: PendingCommand;
  /** Its place in the order in which commands have come. */
  readonly arrival: number;
}

/** What an account has in the batch that is being put together. */
interface Turn {
  readonly lane: readonly Queued[];
  taken: number;
  /** Orders that its commands of the batch name; null while it has no amendment there. */
  named: Set<string> | null;
}

/**
 * Commands of one account keep their order, and wait for nobody else's. What needs no admission (cancels) may overtake only when nothing of
 * its account is queued or in flight (docs/design/order-path.md#command-order).
 */
export class CommandQueue {
  /** Waiting commands by account, oldest first; whose turn it is stands first. */
  readonly #lanes = new Map<string | null, Queued[]>();
  readonly #pending = new Map<string | null, number>();
  #pendingTotal = 0;
  #arrivals = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Commands of one account that wait. */
  lengthOf(account: string | null): number {
    return this.#lanes.get(account)?.length ?? 0;
  }

  isBusy(account: string | null): boolean {
    return account === null ? this.#pendingTotal > 0 : this.#pending.has(account) || this.#pending.has(null);
  }

  push(pending: PendingCommand): void {
    const account = pending.command.account;
    const queued = { pending, arrival: this.#arrivals++ };
    const lane = this.#lanes.get(account);
    if (lane === undefined) this.#lanes.set(account, [queued]);
    else lane.push(queued);
    this.#length += 1;
    this.#pending.set(account, (this.#pending.get(account) ?? 0) + 1);
    this.#pendingTotal += 1;
  }

  /**
   * The next commands of one cycle, at most `count`, in the order in which they came. Accounts take turns, one command each, until the batch
   * is full or nobody has one that may be in it.
   *
   * An amendment never shares the batch of a command of its account on its order: its extra hold is worked out from the order as it stands
   * before the batch. A mass cancel is the last of its account in its batch: it runs after it, in slices. One of all accounts goes with the
   * next batch, and nothing that came after it does.
   */
  take(count: number): PendingCommand[] {
    const ofAll = this.#lanes.get(null)?.[0] ?? null;
    const before = ofAll?.arrival ?? Number.POSITIVE_INFINITY;
    const taken: Queued[] = ofAll === null ? [] : [ofAll];
    const turns = new Map<string, Turn>();
    for (const [account, lane] of this.#lanes)
      if (account !== null) turns.set(account, { lane, taken: 0, named: null });
    let left = [...turns.values()];
    for (let were = -1; were < taken.length && taken.length < count; ) {
      were = taken.length;
      const still: Turn[] = [];
      for (const turn of left) {
        if (taken.length >= count) break;
        const next = turn.lane[turn.taken];
        if (next === undefined || next.arrival > before || !mayJoin(turn, next)) continue;
        if (!isBehindRelative(next, turns)) {
          still.push(turn);
          continue;
        }
        turn.taken += 1;
        taken.push(next);
        if (next.pending.command.type !== 'mass_cancel') still.push(turn);
      }
      left = still;
    }
    if (ofAll !== null) this.#drop(null, 1);
    for (const [account, turn] of turns) this.#drop(account, turn.taken);
    return inOrder(taken);
  }

  /** A command that was taken is done, however it ended. */
  done(pending: PendingCommand): void {
    const account = pending.command.account;
    const left = (this.#pending.get(account) ?? 1) - 1;
    if (left === 0) this.#pending.delete(account);
    else this.#pending.set(account, left);
    this.#pendingTotal -= 1;
  }

  /** Takes out the commands that have waited since before `time_ms`. */
  takeOlderThan(time_ms: number): PendingCommand[] {
    const old: Queued[] = [];
    for (const [account, lane] of [...this.#lanes]) {
      const young = lane.findIndex(({ pending }) => pending.since_ms >= time_ms);
      const count = young < 0 ? lane.length : young;
      for (const queued of lane.slice(0, count)) old.push(queued);
      this.#drop(account, count);
    }
    const all = inOrder(old);
    for (const pending of all) this.done(pending);
    return all;
  }

  /** The first commands of a lane have left it; its next turn comes after everybody else's. */
  #drop(account: string | null, count: number): void {
    const lane = this.#lanes.get(account);
    if (lane === undefined || count === 0) return;
    lane.splice(0, count);
    this.#length -= count;
    this.#lanes.delete(account);
    if (lane.length > 0) this.#lanes.set(account, lane);
  }
}

/** Whether what the other account of a family relation sent before its end is in the batch already, or was before. */
function isBehindRelative({ pending: { command }, arrival }: Queued, turns: ReadonlyMap<string, Turn>): boolean {
  if (command.type !== 'mass_cancel' || command.relative === undefined) return true;
  const other = turns.get(command.relative);
  return other === undefined || (other.lane[other.taken]?.arrival ?? arrival) >= arrival;
}

function inOrder(queued: Queued[]): PendingCommand[] {
  return queued.sort((a, b) => a.arrival - b.arrival).map(({ pending }) => pending);
}

/** Whether the next command of an account may be in the batch of those that it has there. */
function mayJoin(turn: Turn, { pending: { command } }: Queued): boolean {
  if (command.type === 'amend') {
    turn.named ??= new Set(turn.lane.slice(0, turn.taken).map(({ pending }) => idOf(pending.command)));
    if (turn.named.has(command.orderId)) return false;
  }
  if (command.type !== 'mass_cancel') turn.named?.add(command.orderId);
  return true;
}
