import type { Side } from '../../../domain/orders/order.ts';
import type { LevelEntrance } from './level-entrances.ts';
import type { OrderStory } from './order-stories.ts';

export interface StrangerArrivals {
  /** Strangers that came while their price was out of view, by the entrance that shows them, in the order in which they rank. */
  readonly byEntrance: ReadonlyMap<LevelEntrance, readonly OrderStory[]>;
  /** Strangers at prices that are never in view. */
  readonly neverInView: readonly OrderStory[];
}

/**
 * Finds out when the orders that the file names but does not submit have come. They can only have come out of view, so each belongs
 * to an entrance of its price that brought more quantity than it had before. Of those that have enough the latest is taken, but one
 * before any order that it is executed ahead of.
 */
export function strangerArrivals(
  stories: ReadonlyMap<string, OrderStory>,
  entrances: readonly LevelEntrance[],
): StrangerArrivals {
  const levels = new Map<string, Level>();
  const levelOf = ({ side, price }: { readonly side: Side; readonly price: number }): Level => {
    const key = `${side} ${price}`;
    const level = levels.get(key) ?? { entrances: [], strangers: [], submitted: [] };
    levels.set(key, level);
    return level;
  };
  for (const entrance of entrances) levelOf(entrance).entrances.push(entrance);
  for (const story of stories.values()) {
    const level = levelOf(story);
    (story.submittedAt === null ? level.strangers : level.submitted).push(story);
  }
  const byEntrance = new Map<LevelEntrance, OrderStory[]>();
  const neverInView: OrderStory[] = [];
  for (const level of levels.values()) {
    if (level.entrances.length === 0) neverInView.push(...level.strangers);
    else assign(level, byEntrance);
  }
  for (const strangers of byEntrance.values()) strangers.sort(byRank);
  return { byEntrance, neverInView: neverInView.sort(byRank) };
}

interface Level {
  readonly entrances: LevelEntrance[];
  /** By the step that first names them. */
  readonly strangers: OrderStory[];
  /** By submission. */
  readonly submitted: OrderStory[];
}

function assign({ entrances, strangers, submitted }: Level, byEntrance: Map<LevelEntrance, OrderStory[]>): void {
  const unexplained = new Map(entrances.map((entrance) => [entrance, entrance.quantity - entrance.before]));
  for (const stranger of strangers) {
    const possible = entrances.filter((entrance) => entrance.first || entrance.step <= stranger.firstNamedAt);
    const overtakenAt = submissionOvertaken(stranger, submitted);
    const isInTime = (entrance: LevelEntrance): boolean => entrance.first || entrance.step <= overtakenAt;
    const hasRoom = (entrance: LevelEntrance): boolean => (unexplained.get(entrance) ?? 0) >= stranger.named;
    const entrance =
      possible.findLast((each) => isInTime(each) && hasRoom(each)) ??
      possible.findLast(hasRoom) ??
      possible.findLast(isInTime);
    if (entrance === undefined) continue;
    unexplained.set(entrance, (unexplained.get(entrance) ?? 0) - stranger.named);
    const arrived = byEntrance.get(entrance);
    if (arrived === undefined) byEntrance.set(entrance, [stranger]);
    else arrived.push(stranger);
  }
}

/** Step of the oldest submission at the same price that still rests when the stranger is executed: the stranger came before it. */
function submissionOvertaken({ firstExecutedAt }: OrderStory, submitted: readonly OrderStory[]): number {
  if (firstExecutedAt === Number.POSITIVE_INFINITY) return firstExecutedAt;
  const overtaken = submitted.find(
    (order) => (order.submittedAt ?? 0) < firstExecutedAt && (order.named < order.submitted || order.lastNamedAt > firstExecutedAt),
  );
  return overtaken === undefined || overtaken.submittedAt === null || overtaken.submittedAt > firstExecutedAt
    ? Number.POSITIVE_INFINITY
    : overtaken.submittedAt;
}

/** What is executed first ranks first; what never is ranks behind. */
function byRank(a: OrderStory, b: OrderStory): number {
  if (a.firstExecutedAt !== b.firstExecutedAt) return a.firstExecutedAt < b.firstExecutedAt ? -1 : 1;
  return a.firstNamedAt - b.firstNamedAt;
}
