import {
  findTransfer,
  readTransferContext,
  type TransferContext,
  type TransferRow,
} from '../../data/accounts/transfers.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { TransferType } from '../../domain/accounts/transfer-type.ts';
import type { TransferOutcome } from '../../domain/ledger/outcomes.ts';
import type { ReceivedLot } from '../../domain/ledger/records.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { type OutcomeUnknown, transact } from './transact.ts';

/** A tax lot that comes in with a deposit. */
export interface DepositedLot {
  /** Scaled units; the lots of a deposit sum to its amount. */
  readonly quantity: number;
  /** Quote units paid for it. */
  readonly cost: number;
  /** Unix milliseconds. */
  readonly acquiredAt: number;
  /** Unix milliseconds; null for a lot that may be sold to anyone. */
  readonly restrictionEndsAt: number | null;
  /** E.g. `506c`, `reg_cf`; null falls back on the asset's regulation. */
  readonly offeringType: string | null;
}

export interface TransferRequest {
  /** UUIDv7 of the transfer and of its ledger transaction; sending the same again changes nothing. */
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  /** Scaled units, above 0. */
  readonly amount: number;
  readonly reference: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Who asked, for the audit trail; null while seeding. */
  readonly action: OperatorAction | null;
}

export interface DepositRequest extends TransferRequest {
  /** For an asset that tracks lots; they sum to `amount`. */
  readonly lots: readonly DepositedLot[];
  /** Quote units paid, the cost basis of an asset without lots; with lots it is their sum. */
  readonly cost: number;
}

export type TransferError =
  | { readonly reason: 'account_not_found' }
  | { readonly reason: 'asset_not_found' }
  /** The id stands for another transfer. */
  | { readonly reason: 'id_conflict' }
  | { readonly reason: 'lots_do_not_sum'; readonly expected: number; readonly found: number }
  /** The balance would leave the range in which amounts are exact. */
  | { readonly reason: 'balance_too_large' }
  /** `available` in scaled units. */
  | { readonly reason: 'insufficient_balance'; readonly required: number; readonly available: number }
  /** Shares that have not settled may not leave; `available` may. */
  | { readonly reason: 'unsettled'; readonly required: number; readonly available: number }
  /** Shares of this asset come and go by its register alone. */
  | { readonly reason: 'goes_by_register' }
  /** The account, or the asset, would have more lots than it may. */
  | { readonly reason: 'too_many_lots'; readonly lotsMax: number }
  /** The shard holds as many balances or lots as it may; nothing was done. */
  | { readonly reason: 'ledger_full' }
  /** It may have been done: the same request finds out. */
  | { readonly reason: 'outcome_unknown' };

interface MadeTransfer {
  readonly transfer: TransferRow;
  readonly repeated: boolean;
}

type TransferResult = Result<MadeTransfer, TransferError>;

/** Credits an account against boundary:deposits. */
export async function deposit(env: LedgerEnv, request: DepositRequest): Promise<TransferResult> {
  const context = await readTransferContext(database(env.DB), request);
  if (context.tracksLots === null) return err({ reason: 'asset_not_found' });
  const found = sum(request.lots.map((lot) => lot.quantity));
  const expected = context.tracksLots ? request.amount : 0;
  if (found !== expected) return err({ reason: 'lots_do_not_sum', expected, found });
  const cost = context.tracksLots ? sum(request.lots.map((lot) => lot.cost)) : request.cost;
  return transfer(env, request, context, { type: 'deposit', cost, lots: request.lots });
}

/** Debits what is available against boundary:withdrawals; lots leave first-in-first-out, those that open sells reserve stay. */
export async function withdraw(env: LedgerEnv, request: TransferRequest): Promise<TransferResult> {
  const context = await readTransferContext(database(env.DB), request);
  if (context.tracksLots === null) return err({ reason: 'asset_not_found' });
  return transfer(env, request, context, { type: 'withdrawal', cost: 0, lots: [] });
}

interface TransferTerms {
  readonly type: TransferType;
  readonly cost: number;
  readonly lots: readonly DepositedLot[];
}

async function transfer(
  env: LedgerEnv,
  request: TransferRequest,
  context: TransferContext,
  { type, cost, lots }: TransferTerms,
): Promise<TransferResult> {
  if (!context.accountExists) return err({ reason: 'account_not_found' });
  // What D1 shows under the id is the answer. The ledger, too, keeps the answers of transfers for good.
  if (context.made !== null || context.isIdTaken) return standing(request, type, context.made, true);
  const { id, account, asset, amount, reference, createdAt, action } = request;
  const outcome = await transact(env, {
    kind: 'transfer',
    id,
    type,
    account,
    asset,
    amount,
    cost,
    tracksLots: context.tracksLots === true,
    lots: lots.map((lot, index) => receivedLot(request, lot, index)),
    reference,
    createdAt,
    event: action === null ? null : transferEvent(action, request, type),
  });
  if (outcome.type !== 'done') return err(errorOf(outcome));
  if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
  return standing(request, type, await findTransfer(database(env.DB), id), false);
}

/** What stands under the id: this transfer, or another one. */
function standing(
  { account, asset, amount }: TransferRequest,
  type: TransferType,
  made: TransferRow | null,
  repeated: boolean,
): TransferResult {
  const isSame =
    made !== null && made.account === account && made.asset === asset && made.amount === amount && made.type === type;
  return isSame ? ok({ transfer: made, repeated }) : err({ reason: 'id_conflict' });
}

function errorOf(outcome: Exclude<TransferOutcome, { type: 'done' }> | OutcomeUnknown): TransferError {
  switch (outcome.type) {
    case 'insufficient_balance':
    case 'unsettled':
      return { reason: outcome.type, required: outcome.required, available: outcome.available };
    case 'balance_too_large':
    case 'goes_by_register':
    case 'id_conflict':
    case 'ledger_full':
    case 'outcome_unknown':
      return { reason: outcome.type };
    case 'too_many_lots':
      return { reason: 'too_many_lots', lotsMax: outcome.lotsMax };
    case 'malformed':
      // Its lots sum: one of them came in by another transfer.
      return { reason: 'id_conflict' };
  }
}

function receivedLot({ id, account }: TransferRequest, lot: DepositedLot, index: number): ReceivedLot {
  return { id: `${id}.${index}`, account, ...lot };
}

/** The ledger adds the balance before and after. */
function transferEvent(action: OperatorAction, request: TransferRequest, type: TransferType) {
  const { id, account, asset, amount, reference, createdAt } = request;
  return operatorEvent({
    action,
    type: `operator.${type}`,
    subject: account,
    createdAt,
    details: { transferId: id, asset, amount, reference },
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
