import { uuidv7 } from 'uuidv7';
import { findAccount } from '../../data/accounts/accounts.ts';
import { readIdentityEnds } from '../../data/accounts/identity-end.ts';
import { findTransferRequest, type TransferRequestRecord } from '../../data/accounts/transfer-requests.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset, findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { kycStatusAt } from '../../domain/accounts/kyc-status-at.ts';
import { isOpenRequest, type TransferDecisionName } from '../../domain/accounts/transfer-request.ts';
import type { TransferType } from '../../domain/accounts/transfer-type.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import type { TransferDecisionOutcome, TransferRequestOutcome } from '../../domain/ledger/outcomes.ts';
import { toPaid } from '../../domain/money/paid-amount.ts';
import { fromScaled, toScaled } from '../../domain/money/scaled.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { settleBooks } from '../ledger/settle-before-read.ts';
import type { OutcomeUnknown } from '../ledger/transact.ts';
import { decideTransferRequest, openTransferRequest } from '../ledger/transfer-requests.ts';
import { noSuchAsset } from '../operator/not-found.ts';
import { numberError } from '../operator/number-error.ts';
import { outcomeUnknown } from '../operator/outcome-unknown.ts';
import { knownAssets } from './known-asset.ts';

/** What a user asks for. */
export interface AskedTransfer {
  /** UUIDv7; the same on every repetition. */
  readonly id: string;
  readonly type: TransferType;
  readonly assetId: string;
  /** In numbers of the asset. */
  readonly amount: number;
  readonly reference: string | null;
}

/** A user asks to pay in or out. Securities leave and come by their transfer agent, so assets with lots are refused. */
export async function askForTransfer(
  env: Env,
  facts: AccountFacts,
  { id, type, assetId, amount, reference }: AskedTransfer,
): Promise<Result<TransferRequestRecord, ApiError>> {
  const { accountId, frozen } = facts;
  if (kycStatusAt(facts, Date.now()) !== 'completed')
    return err(apiError('FORBIDDEN', 'identity verification is not completed'));
  if (frozen) return err(accountFrozen());
  const db = database(env.DB);
  const found = await findAsset(db, assetId);
  const asset = found === null ? undefined : (await knownAssets(env, facts, [found])).get(assetId);
  if (asset === undefined) return err(noSuchAsset());
  if (asset.tracksLots)
    return err(apiError('VALIDATION_ERROR', 'securities are not paid in or out on request', { field: 'assetId' }));
  const scaled = toPaid(amount, asset);
  if (!scaled.ok) return err(numberError('amount', scaled.error));
  // What a cancel or a fill has just freed counts as available.
  if (type === 'withdrawal') await settleBooks(env, accountId);
  const request = { id, type, account: accountId, asset: asset.id, amount: scaled.value, reference };
  const opened = await openTransferRequest(env, { ...request, createdAt: Date.now() });
  if (!opened.ok) return err(requestError(opened.error, asset.scale));
  return shown(env, id);
}

/** Its user takes a request back, as long as nobody has approved it. Done again it is done. */
export async function cancelTransfer(
  env: Env,
  accountId: string,
  { id, type }: { readonly id: string; readonly type: TransferType },
): Promise<Result<TransferRequestRecord, ApiError>> {
  const request = await findTransferRequest(database(env.DB), id);
  if (request?.account !== accountId || request.type !== type) return err(noSuchRequest());
  if (request.state === 'cancelled') return ok(request);
  const decision = {
    id: uuidv7(),
    request: id,
    account: accountId,
    decision: 'cancel',
    cost: 0,
    reason: null,
  } as const;
  const decided = await decideTransferRequest(env, { ...decision, now: Date.now(), action: null });
  if (!decided.ok) return err(await decisionError(env, decided.error, request));
  return shown(env, id);
}

export interface DecidedTransfer {
  readonly id: string;
  readonly decision: Exclude<TransferDecisionName, 'cancel'>;
  readonly reason: string;
  /** US dollars paid for what a deposit brings; 0 otherwise. */
  readonly cost: number;
}

/** An operator approves, rejects or executes a request. */
export async function decideTransfer(
  env: Env,
  { id, decision, reason, cost }: DecidedTransfer,
  action: OperatorAction,
): Promise<Result<TransferRequestRecord, ApiError>> {
  const db = database(env.DB);
  const [request, cash] = await Promise.all([findTransferRequest(db, id), findAssetBySymbol(db, CASH_SYMBOL)]);
  if (request === null) return err(noSuchRequest());
  const scaled = toScaled(cost, cash?.scale ?? 0);
  if (!scaled.ok) return err(numberError('cost', scaled.error));
  // What was true when it was asked for may have changed since; the ledger asks whether the account is frozen.
  const isFurther = decision !== 'reject' && isOpenRequest(request.state);
  if (isFurther && !(await isIdentified(db, request.account)))
    return err(apiError('FORBIDDEN', 'identity verification of the account is not completed'));
  const asked = { id: action.id, request: id, account: request.account, decision, cost: scaled.value, reason };
  const decided = await decideTransferRequest(env, { ...asked, now: Date.now(), action });
  if (!decided.ok) return err(await decisionError(env, decided.error, request));
  return shown(env, id);
}

async function isIdentified(db: Database, id: string): Promise<boolean> {
  const [account, ends] = await Promise.all([findAccount(db, id), readIdentityEnds(db, [id])]);
  if (account === null) return false;
  return kycStatusAt({ ...account, identityEndsAt: ends.get(id) }, Date.now()) === 'completed';
}

async function shown(env: Env, id: string): Promise<Result<TransferRequestRecord, ApiError>> {
  const request = await findTransferRequest(database(env.DB), id);
  return request === null ? err(outcomeUnknown()) : ok(request);
}

type RequestRefusal = Exclude<TransferRequestOutcome, { readonly type: 'done' }> | OutcomeUnknown;
type DecisionRefusal = Exclude<TransferDecisionOutcome, { readonly type: 'done' }> | OutcomeUnknown;

function requestError(refusal: RequestRefusal, scale: number): ApiError {
  switch (refusal.type) {
    case 'account_frozen':
      return accountFrozen();
    case 'insufficient_balance':
      return notEnough(refusal, scale);
    case 'too_many_requests':
      return apiError('CONFLICT', 'as many requests are open as may be: cancel one first', {
        openMax: refusal.openMax,
      });
    case 'ledger_full':
      return ledgerFull();
    case 'id_conflict':
      return apiError('CONFLICT', 'the id stands for another request');
    case 'outcome_unknown':
      return outcomeUnknown();
  }
}

async function decisionError(
  env: Env,
  refusal: DecisionRefusal,
  { id, scale }: TransferRequestRecord,
): Promise<ApiError> {
  switch (refusal.type) {
    case 'not_open':
    case 'not_allowed': {
      const current = await findTransferRequest(database(env.DB), id);
      return apiError('CONFLICT', 'the request is in another state', { status: current?.state ?? null });
    }
    case 'account_frozen':
      return accountFrozen();
    case 'insufficient_balance':
    case 'unsettled':
      return notEnough(refusal, scale);
    case 'balance_too_large':
    case 'malformed':
    case 'too_many_lots':
      return apiError('VALIDATION_ERROR', 'the balance would be too large');
    case 'goes_by_register':
      return apiError('CONFLICT', 'shares of this asset come and go by its register', { reason: refusal.type });
    case 'ledger_full':
      return ledgerFull();
    case 'id_conflict':
      return apiError('CONFLICT', 'the Idempotency-Key stands for another decision');
    case 'outcome_unknown':
      return outcomeUnknown();
  }
}

function notEnough(refusal: { readonly required: number; readonly available: number }, scale: number): ApiError {
  return apiError('INSUFFICIENT_BALANCE', 'not enough is available', {
    required: fromScaled(refusal.required, scale),
    available: fromScaled(refusal.available, scale),
  });
}

function accountFrozen(): ApiError {
  return apiError('FORBIDDEN', 'the account is frozen');
}

function ledgerFull(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'the ledger takes no more for the moment; nothing was done', {
    reason: 'ledger_full',
  });
}

function noSuchRequest(): ApiError {
  return apiError('NOT_FOUND', 'request does not exist');
}
