import { findAccount } from '../../data/accounts/accounts.ts';
import type { TransferRow } from '../../data/accounts/transfers.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset, findAssetBySymbol } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { toPaid } from '../../domain/money/paid-amount.ts';
import { toScaled } from '../../domain/money/scaled.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { deposit } from '../ledger/transfers.ts';
import { depositedLots, type StatedLot } from './deposited-lots.ts';
import { noSuchAccount, noSuchAsset } from './not-found.ts';
import { numberError } from './number-error.ts';
import { transferError } from './transfer-error.ts';

/** What deposits and withdrawals say alike. */
export interface TransferOrder {
  readonly accountId: string;
  readonly assetId: string;
  /** In numbers of the asset. */
  readonly amount: number;
  readonly reference: string | null;
}

export interface DepositOrder extends TransferOrder {
  /** US dollars paid, of an asset without lots. */
  readonly cost: number;
  /** Of an asset that tracks lots; null for one lot acquired now. */
  readonly lots: readonly StatedLot[] | null;
}

export interface MadeTransfer {
  readonly transfer: TransferRow;
  /** Of its asset. */
  readonly scale: number;
}

/** Money or assets enter an account. */
export async function makeDeposit(
  env: Env,
  order: DepositOrder,
  action: OperatorAction,
): Promise<Result<MadeTransfer, ApiError>> {
  const db = database(env.DB);
  const [asset, account, cash] = await Promise.all([
    findAsset(db, order.assetId),
    findAccount(db, order.accountId),
    findAssetBySymbol(db, CASH_SYMBOL),
  ]);
  if (asset === null) return err(noSuchAsset());
  if (account === null || account.boundary) return err(noSuchAccount());
  const { scale } = asset;
  const amount = toPaid(order.amount, asset);
  if (!amount.ok) return err(numberError('amount', amount.error));
  const cashScale = cash?.scale ?? 0;
  const cost = toScaled(order.cost, cashScale);
  if (!cost.ok) return err(numberError('cost', cost.error));
  const now = Date.now();
  const stated = order.lots ?? (asset.tracksLots ? [{ quantity: order.amount, cost: order.cost }] : []);
  const lots = depositedLots(stated, { asset, cashScale, now });
  if (!lots.ok) return lots;
  const made = await deposit(env, {
    id: action.id,
    account: account.id,
    asset: asset.id,
    amount: amount.value,
    cost: cost.value,
    lots: lots.value,
    reference: order.reference,
    createdAt: now,
    action,
  });
  return made.ok ? ok({ transfer: made.value.transfer, scale }) : err(transferError(made.error, scale));
}
