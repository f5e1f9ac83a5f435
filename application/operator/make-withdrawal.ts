import { findAccount } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { toPaid } from '../../domain/money/paid-amount.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { settleBooks } from '../ledger/settle-before-read.ts';
import { withdraw } from '../ledger/transfers.ts';
import type { MadeTransfer, TransferOrder } from './make-deposit.ts';
import { noSuchAccount, noSuchAsset } from './not-found.ts';
import { numberError } from './number-error.ts';
import { transferError } from './transfer-error.ts';

/** What is available leaves an account; what open orders hold stays. */
export async function makeWithdrawal(
  env: Env,
  order: TransferOrder,
  action: OperatorAction,
): Promise<Result<MadeTransfer, ApiError>> {
  const db = database(env.DB);
  const [asset, account] = await Promise.all([findAsset(db, order.assetId), findAccount(db, order.accountId)]);
  if (asset === null) return err(noSuchAsset());
  if (account === null || account.boundary) return err(noSuchAccount());
  const { scale } = asset;
  const amount = toPaid(order.amount, asset);
  if (!amount.ok) return err(numberError('amount', amount.error));
  // What a cancel or a fill has just freed counts as available.
  await settleBooks(env, account.id);
  const made = await withdraw(env, {
    id: action.id,
    account: account.id,
    asset: asset.id,
    amount: amount.value,
    reference: order.reference,
    createdAt: Date.now(),
    action,
  });
  return made.ok ? ok({ transfer: made.value.transfer, scale }) : err(transferError(made.error, scale));
}
