import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { bridgeTransferOf, type ReturnAnswer, type TransferView } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';

type ReturnEnv = Pick<Env, 'DB' | 'BRIDGE_TRANSFER'>;

const REFUSED: Readonly<Record<Exclude<ReturnAnswer, 'ordered' | 'away'>, string>> = {
  not_now:
    'funds go back to another payer only where the transfer has ended without any of its own, and to its own by an order only where their refund waits for one',
  no_funds: 'the chain shows nothing that this payer alone has paid in for the transfer',
  asks_memo: 'the payer’s account asks for a memo, which nobody can check: it cannot be paid without',
};

/** A transfer as its object has it; null where there is none. */
export function readTransfer(env: Pick<Env, 'BRIDGE_TRANSFER'>, transfer: string): Promise<TransferView | null> {
  return askAgain(() => bridgeTransferOf(env, transfer).view());
}

/**
 * Has what somebody else than its payer has paid in for a transfer returned to them. The order is written down before it is given; that the funds are there, and whose they are, the transfer's
 * object and each signer see for themselves.
 */
export async function returnFunds(
  env: ReturnEnv,
  { transfer, payer, reason }: { readonly transfer: string; readonly payer: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<TransferView, ApiError>> {
  const before = await readTransfer(env, transfer);
  if (before === null) return err(apiError('NOT_FOUND', 'no such transfer'));
  const { terms, others, transfer: of } = before;
  await recordOperatorAction(database(env.DB), {
    action: { ...action, reason },
    type: 'operator.bridge_return_ordered',
    subject: transfer,
    createdAt: Date.now(),
    details: { organization: terms.organization, payer, others: others.map((one) => ({ ...one })) },
    before: { state: of.state, returnTo: before.returnTo },
    after: { returnTo: payer },
  });
  const answer = await askAgain(() => bridgeTransferOf(env, transfer).returnTo(payer));
  if (answer === 'away')
    return err(
      apiError('SERVICE_UNAVAILABLE', 'the chain of the source does not answer now', { transfer_id: transfer }),
    );
  if (answer !== 'ordered') return err(apiError('CONFLICT', REFUSED[answer], { reason: answer }));
  return ok((await readTransfer(env, transfer)) ?? before);
}
