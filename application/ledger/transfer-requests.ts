import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import type { TransferDecisionName } from '../../domain/accounts/transfer-request.ts';
import type { TransferDecisionOutcome, TransferRequestOutcome } from '../../domain/ledger/outcomes.ts';
import type { TransferRequest } from '../../domain/ledger/transactions.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { type OutcomeUnknown, transact } from './transact.ts';

type RefusedBy<Outcome> = Exclude<Outcome, { readonly type: 'done' }> | OutcomeUnknown;

/** Opens a request; the amount of a withdrawal is held. Once per id; when it answers `ok`, D1 shows it. */
export async function openTransferRequest(
  env: LedgerEnv,
  request: Omit<TransferRequest, 'kind'>,
): Promise<Result<null, RefusedBy<TransferRequestOutcome>>> {
  const outcome = await transact(env, { kind: 'transfer_request', ...request });
  if (outcome.type !== 'done') return err(outcome);
  return (await projected(env)) ? ok(null) : err({ type: 'outcome_unknown' });
}

export interface RequestDecision {
  /** UUIDv7 of the decision; the same on every repetition. */
  readonly id: string;
  readonly request: string;
  readonly account: string;
  readonly decision: TransferDecisionName;
  /** Quote units paid for what a deposit brings. */
  readonly cost: number;
  readonly reason: string | null;
  /** Unix milliseconds. */
  readonly now: number;
  /** Who decides, for the audit trail; null for the user. */
  readonly action: OperatorAction | null;
}

/** Decides a request; once per id. When it answers `ok`, D1 shows it. */
export async function decideTransferRequest(
  env: LedgerEnv,
  { now, action, ...decision }: RequestDecision,
): Promise<Result<null, RefusedBy<TransferDecisionOutcome>>> {
  const { request, account, reason } = decision;
  const outcome = await transact(env, {
    kind: 'transfer_decision',
    ...decision,
    createdAt: now,
    event:
      action === null
        ? null
        : operatorEvent({
            action,
            type: EVENT_OF[decision.decision],
            subject: account,
            createdAt: now,
            details: { transferRequest: request, reason },
          }),
  });
  if (outcome.type !== 'done') return err(outcome);
  return (await projected(env)) ? ok(null) : err({ type: 'outcome_unknown' });
}

const EVENT_OF: Readonly<Record<TransferDecisionName, string>> = {
  approve: 'operator.transfer_approved',
  reject: 'operator.transfer_rejected',
  execute: 'operator.transfer_executed',
  cancel: 'operator.transfer_cancelled',
};
