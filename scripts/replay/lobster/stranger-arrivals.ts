import type { Side } from '../../../domain/orders/order.ts';
import type { LevelEntrance } from './level-entrances.ts';
import { firstNamedAt, lastNamedAt, neededFrom, type OrderStory } from './order-stories.ts';

export interface StrangerArrivals {
  /** Strangers that came while their price was out of view, by the entrance that shows them, in the order in which they rank. */
  readonly byEntrance: ReadonlyMap<LevelEntrance, readonly OrderStory[]>;
  /** Strangers at prices that are never in view. */
  readonly neverInView: readonly OrderStory[];
}

/**
 * Finds out when the orders that the file names but does not submit have come. They can only have come out of view, so each belongs
 * to an entrance of its price, from where on the level must have room for it beside all other orders that are named later.
 */
export function strangerArrivals(
  stories: ReadonlyMap<string, OrderStory>,
  entrances: readonly LevelEntrance[],
): StrangerArrivals {
  const levels = new Map<string, Level>();
  const levelOf = ({ side, price }: { readonly side: Side; readonly price: number }): Level => {
    const key = `${side} ${price}`;
    const level = levels.get(key) ?? new Level();
    levels.set(key, level);
    return level;
  };
  for (const entrance of entrances)
    levelOf(entrance).entrances.push({ entrance, room: entrance.quantity, strangers: [] });
  for (const story of stories.values()) {
    const level = levelOf(story);
    (story.submittedAt === null ? level.strangers : level.submitted).push(story);
  }
  const byEntrance = new Map<LevelEntrance, OrderStory[]>();
  const neverInView: OrderStory[] = [];
  for (const level of levels.values()) {
    if (level.entrances.length === 0) neverInView.push(...level.strangers);
    level.place();
    for (const { entrance, strangers } of level.entrances) byEntrance.set(entrance, strangers.sort(byRank));
  }
  return { byEntrance, neverInView: neverInView.sort(byRank) };
}

interface Arrival {
  readonly entrance: LevelEntrance;
  /** Quantity that no order needs which is known to be there. */
  room: number;
  readonly strangers: OrderStory[];
}

/** When an order came: the step of its submission or of the entrance that shows it; −1 when it rested before the file. */
interface Arrived {
  readonly order: OrderStory;
  readonly at: number;
}

const BEFORE_THE_FILE = -1;

/** One price of one side. */
class Level {
  /** By step. */
  readonly entrances: Arrival[] = [];
  /** By the step that first names them. */
  readonly strangers: OrderStory[] = [];
  readonly submitted: OrderStory[] = [];
  #arrived: Arrived[] = [];

  /** Those that are executed last come first: each that is executed earlier must have come before them. */
  place(): void {
    if (this.strangers.length === 0) return;
    this.#arrived = this.submitted.map((order) => ({ order, at: order.submittedAt ?? BEFORE_THE_FILE }));
    for (const order of this.submitted) this.#occupy(order, order.submittedAt ?? BEFORE_THE_FILE);
    const executed = this.strangers.filter(isExecuted).sort((a, b) => b.firstExecutedAt - a.firstExecutedAt);
    const others = this.strangers.filter((stranger) => !isExecuted(stranger));
    for (const stranger of [...executed, ...others]) {
      const arrival = this.#arrivalOf(stranger);
      if (arrival === undefined) continue;
      arrival.strangers.push(stranger);
      this.#arrived.push({ order: stranger, at: arrivalStep(arrival) });
      this.#occupy(stranger, arrival.entrance.step - 1);
    }
  }

  /** The latest arrival that has room for it and the rank that executions show, best one that changed what was last seen. */
  #arrivalOf(stranger: OrderStory): Arrival | undefined {
    const { earliest, latest } = this.#bounds(stranger);
    const isInTime = (arrival: Arrival): boolean => arrivalStep(arrival) >= earliest && arrivalStep(arrival) <= latest;
    const isChanged = ({ entrance }: Arrival): boolean => entrance.first || entrance.quantity !== entrance.before;
    const possible = this.entrances
      .filter(({ entrance }) => entrance.first || entrance.step <= firstNamedAt(stranger))
      .reverse();
    const tooSmall = possible.findIndex(({ room, entrance }) => room < neededFrom(stranger, entrance.step));
    const fitting = tooSmall > 0 ? possible.slice(0, tooSmall) : possible;
    return (
      fitting.find((each) => isInTime(each) && isChanged(each)) ??
      fitting.find(isInTime) ??
      fitting.find(isChanged) ??
      fitting[0]
    );
  }

  /**
   * Orders of one price are executed in the order in which they came, and what rests while another is executed came after it. Only
   * orders that surely rest then count: one that the file never names again may have gone out of view.
   */
  #bounds(stranger: OrderStory): { earliest: number; latest: number } {
    const until = isExecuted(stranger) ? stranger.firstExecutedAt : lastNamedAt(stranger);
    let earliest = BEFORE_THE_FILE;
    let latest = Number.POSITIVE_INFINITY;
    for (const { order, at } of this.#arrived) {
      if (at > until) continue;
      if (order.firstExecutedAt < until) earliest = Math.max(earliest, at);
      else if (isExecuted(stranger) && this.#restsAt(order, at, until)) latest = Math.min(latest, at);
    }
    for (const other of isExecuted(stranger) ? this.strangers : []) {
      if (other !== stranger && lastNamedAt(other) > until) latest = Math.min(latest, firstNamedAt(other));
    }
    return { earliest, latest };
  }

  #restsAt(order: OrderStory, at: number, step: number): boolean {
    if (lastNamedAt(order) > step) return true;
    const next = this.entrances[this.#firstAfter(at)];
    const stayedInView = next === undefined || next.entrance.step > step;
    return stayedInView && neededFrom(order, 0) < order.submitted;
  }

  /** Takes the order's room in every entrance after `step` up to the last that names it. */
  #occupy(order: OrderStory, step: number): void {
    const last = lastNamedAt(order);
    for (let at = this.#firstAfter(step); at < this.entrances.length; at++) {
      const arrival = this.entrances[at]!;
      if (arrival.entrance.step > last) break;
      arrival.room -= neededFrom(order, arrival.entrance.step);
    }
  }

  /** Index of the first entrance after a step. */
  #firstAfter(step: number): number {
    let low = 0;
    let high = this.entrances.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.entrances[middle]!.entrance.step > step) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function arrivalStep({ entrance }: Arrival): number {
  return entrance.first ? BEFORE_THE_FILE : entrance.step;
}

function isExecuted({ firstExecutedAt }: OrderStory): boolean {
  return firstExecutedAt !== Number.POSITIVE_INFINITY;
}

/** What is executed first ranks first; what never is ranks behind. */
function byRank(a: OrderStory, b: OrderStory): number {
  if (a.firstExecutedAt !== b.firstExecutedAt) return a.firstExecutedAt < b.firstExecutedAt ? -1 : 1;
  return firstNamedAt(a) - firstNamedAt(b);
}
