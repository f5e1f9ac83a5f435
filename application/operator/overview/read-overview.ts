import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../../data/database.ts';
import { type JobRun, listJobRuns } from '../../../data/jobs/job-runs.ts';
import {
  type BridgeWork,
  countUncompared,
  countWaitingDeliveries,
  countWaitingWork,
  readBridgeWork,
  type Waiting,
  type WaitingDeliveries,
  type WorkQueue,
} from '../../../data/overview/waiting-work.ts';
import type { LedgerStatus } from '../../../durable-objects/ledger/api.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ChainStatus, chainStatus } from '../../finality/chain-status.ts';
import { peopleBehind } from '../../identity/clients/people-behind.ts';
import { askLedger } from '../../ledger/ask-ledger.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { withinTime } from '../../objects/within-time.ts';
import { readTradingState, type TradingState } from './trading-state.ts';

/** A part that takes longer than this is not waited for. */
const PART_WAIT_MS = 5_000;
/** The ledger is waited for less, so that markets are told even so. */
const OBJECT_WAIT_MS = 3_000;

/** What of the venue runs and what does not; null of each part that could not be read. */
export interface Overview {
  readonly trading: TradingState | null;
  readonly ledger: LedgerStatus | null;
  readonly waiting: Readonly<Record<WorkQueue, Waiting>> | null;
  readonly deliveries: WaitingDeliveries | null;
  readonly jobs: readonly JobRun[] | null;
  readonly bridge: BridgeWork | null;
  /** Markets of the broker that could not be compared with it. */
  readonly uncompared: Waiting | null;
  readonly chain: ChainStatus | null;
}

/** Reads each part by itself, so that one that is away keeps no other from being told. @param viewer who asks, and by what */
export async function readOverview(
  env: Env,
  now: number,
  viewer: Pick<OperatorAction, 'actor' | 'credential'>,
): Promise<Overview> {
  const db = database(env.DB);
  const ledgerSays = askLedger(env, (asked) => asked.status(), OBJECT_WAIT_MS);
  const [trading, ledger, waiting, deliveries, jobs, bridge, uncompared, chain] = await Promise.all([
    part('trading', readTradingState(env, { now, ledger: ledgerSays.catch(() => null) })),
    part('ledger', ledgerSays),
    part('waiting', waitingFor(db, now, viewer)),
    part('deliveries', countWaitingDeliveries(db, now)),
    part('jobs', listJobRuns(db)),
    part('bridge', readBridgeWork(db, now)),
    part('broker', countUncompared(db)),
    part('chain', chainStatus(env)),
  ]);
  return { trading, ledger, waiting, deliveries, jobs, bridge, uncompared, chain };
}

async function waitingFor(db: Database, now: number, viewer: Pick<OperatorAction, 'actor' | 'credential'>) {
  return countWaitingWork(db, now, [...(await peopleBehind(db, viewer))]);
}

function part<T>(name: string, read: Promise<T>): Promise<T | null> {
  const told = read.catch((error: unknown): null => {
    log('warn', 'a part of the overview cannot be read', { part: name, ...describeBug(error) });
    return null;
  });
  return withinTime(PART_WAIT_MS, told);
}
