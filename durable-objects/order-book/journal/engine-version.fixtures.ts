import type { Engine, EngineCommand, EngineSnapshot } from '../engine/engine.ts';
import { createFastEngine } from '../engine/fast.ts';
import { BOOK_CODE, type BookCode, type EngineVersion } from './engine-version.ts';

/** An engine whose self-trade prevention cancels the resting order where the version before cancels the new one. */
function createOldestFirst(snapshot?: EngineSnapshot): Engine {
  const engine = createFastEngine(snapshot);
  const apply = engine.apply.bind(engine);
  const changed = (command: EngineCommand): EngineCommand =>
    command.type === 'place' && command.selfTradePrevention === 'cancel_newest'
      ? { ...command, selfTradePrevention: 'cancel_oldest' }
      : command;
  engine.apply = (command, now) => apply(changed(command), now);
  return engine;
}

/** A version that matches, expires and cuts in another way. */
export const NEXT_VERSION: EngineVersion = {
  version: BOOK_CODE.current.version + 1,
  createEngine: createOldestFirst,
  expiriesPerCycleMax: 2,
  chunkTradesMax: 1,
  chunkOrdersMax: 5,
  tradesSayProgress: true,
  bandFollowsGoing: true,
  statementsHold: true,
  triggersStandWithOrders: true,
  countsInPublic: true,
  saysIncoming: true,
  banksClose: true,
  lowestIsNoEnd: true,
};

/** The code of a later deployment: it has both versions, and goes by this one. */
export function laterBookCode(current = NEXT_VERSION): BookCode {
  return { known: [...BOOK_CODE.known, NEXT_VERSION], current };
}
