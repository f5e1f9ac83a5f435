import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { LEDGER_SHARD, type LedgerStatus, type RebuildOutcome } from '../../durable-objects/ledger/api.ts';
import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';

export interface RebuildRequest {
  readonly action: OperatorAction;
  /** Why the read model has to be written again. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** `unreachable`: the ledger, or D1 for the audit trail, did not answer; the same action may be repeated. */
export type RebuildAnswer = RebuildOutcome | { readonly type: 'unreachable' };

/** Has the read model written again; once per action id. Who asked, and why, is written down first. */
export async function rebuildReadModel(
  env: LedgerEnv,
  { action, reason, now }: RebuildRequest,
): Promise<RebuildAnswer> {
  const status = await askLedger(env, (ledger) => ledger.status());
  if (status === null) return { type: 'unreachable' };
  const other = otherUnderWay(status, action);
  if (other !== null) return other;
  try {
    await recordOperatorAction(database(env.DB), {
      action,
      type: 'operator.read_model_rebuild',
      subject: LEDGER_SHARD,
      createdAt: now,
      details: { reason },
      before: { projected: status.projected },
      after: { projected: 0 },
    });
  } catch {
    return { type: 'unreachable' };
  }
  const outcome = await askLedger(env, (ledger) => ledger.rebuildReadModel(action.id));
  return outcome ?? { type: 'unreachable' };
}

/** What is refused anyway leaves no trace in the audit trail. */
function otherUnderWay({ rebuild }: LedgerStatus, { id }: OperatorAction): RebuildAnswer | null {
  if (rebuild === null || rebuild.id === id || rebuild.phase === 'done' || rebuild.phase === 'failed') return null;
  return { type: 'under_way', rebuild };
}
