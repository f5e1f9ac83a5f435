import { err, ok, type Result } from '../../domain/result.ts';
import { ledgerSight } from '../../durable-objects/bridge-chains/ledger-sight.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { noSuchTransfer, readTransfer } from './own-transfers.ts';

type LedgerEnv = Pick<Env, 'DB' | 'BRIDGE_TRANSFER' | 'LEDGER'>;

export interface TransferDebit {
  readonly commitment: string;
  readonly debit: { readonly reference: string; readonly amount: string } | null;
}

/** What the ledger has taken from an account for a transfer of the organization, and not given back. */
export async function readDebit(
  env: LedgerEnv,
  organization: string,
  id: string,
): Promise<Result<TransferDebit, ApiError>> {
  const view = await readTransfer(env, organization, id);
  if (view === null) return err(noSuchTransfer());
  const { terms, commitment } = view;
  if (terms.source.kind !== 'account') return ok({ commitment, debit: null });
  const [debit = null] = await ledgerSight(env).debit(terms);
  return ok({ commitment, debit: debit === null ? null : { reference: debit.reference, amount: debit.amount } });
}

/** Whether the ledger has made the payout of a transfer of the organization to an account. */
export async function readPayout(
  env: LedgerEnv,
  organization: string,
  id: string,
): Promise<Result<{ readonly commitment: string; readonly isPaid: boolean }, ApiError>> {
  const view = await readTransfer(env, organization, id);
  if (view === null) return err(noSuchTransfer());
  const { terms, commitment } = view;
  return ok({ commitment, isPaid: await ledgerSight(env).hasPaidOut(terms) });
}

/** Takes the payout of a transfer of the organization to an account away for good, so that its funds can go back. */
export async function voidPayout(
  env: LedgerEnv,
  organization: string,
  id: string,
): Promise<Result<{ readonly commitment: string; readonly isVoid: boolean }, ApiError>> {
  const view = await readTransfer(env, organization, id);
  if (view === null) return err(noSuchTransfer());
  const { terms, commitment } = view;
  if (terms.destination.kind !== 'account') return err(apiError('CONFLICT', 'the ledger does not pay this transfer'));
  return ok({ commitment, isVoid: await ledgerSight(env).voidPayout(terms) });
}
