export type {
  Algorithm,
  AlgorithmCommand,
  AlgorithmEvent,
  AlgorithmState,
  EndReason,
  Terms,
} from './algorithms/algorithm.ts';
export { commandsOf } from './algorithms/algorithm.ts';
export { BRACKET_CANNOT_PROMISE, type BracketState, bracket, startBracket } from './algorithms/bracket.ts';
export { exitedOf, filledOf } from './algorithms/child-orders.ts';
export { followWithFeed } from './algorithms/follow.ts';
export { HIDDEN_CANNOT_PROMISE, type HiddenState, hidden, startHidden } from './algorithms/hidden.ts';
export { type IcebergState, iceberg, startIceberg } from './algorithms/iceberg.ts';
export { type Kept, type Lease, StateHeld, type StateStore } from './algorithms/lease.ts';
export { type PeggedState, pegged, startPegged } from './algorithms/pegged.ts';
export { AlgorithmRunner } from './algorithms/runner.ts';
export { type ScheduleState, schedule, startTwap, startVwap } from './algorithms/schedule.ts';
export {
  STOP_TRAIL_CANNOT_PROMISE,
  type StopTrailState,
  startStopTrail,
  stopOf,
  stopTrail,
} from './algorithms/stop-trail.ts';
export { bookVenue, eventOf, type Venue } from './algorithms/venue.ts';
