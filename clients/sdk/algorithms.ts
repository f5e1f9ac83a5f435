export type {
  Algorithm,
  AlgorithmCommand,
  AlgorithmEvent,
  AlgorithmState,
  EndReason,
  Terms,
} from './algorithms/algorithm.ts';
export { commandsOf } from './algorithms/algorithm.ts';
export { filledOf } from './algorithms/child-orders.ts';
export { followWithFeed } from './algorithms/follow.ts';
export { HIDDEN_CANNOT_PROMISE, type HiddenState, hidden, startHidden } from './algorithms/hidden.ts';
export { type IcebergState, iceberg, startIceberg } from './algorithms/iceberg.ts';
export { AlgorithmRunner } from './algorithms/runner.ts';
export { type ScheduleState, schedule, startTwap, startVwap } from './algorithms/schedule.ts';
export { bookVenue, eventOf, type Venue } from './algorithms/venue.ts';
