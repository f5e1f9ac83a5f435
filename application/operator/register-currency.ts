import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { registerAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** Money that markets quote in and accounts hold. It is not listed, and its scale is for good. */
export interface Currency {
  /** The id of the action when left out. */
  readonly id?: string | undefined;
  readonly symbol: string;
  readonly name: string;
  /** Decimals of an amount. */
  readonly scale: number;
}

/** What only assets that are listed have. */
const UNLISTED = {
  category: 'currency',
  rail: null,
  exchange: null,
  status: 'APPROVED',
  tradeable: false,
  executionRoute: null,
  accreditationType: null,
  regulation: null,
  offeringType: null,
  issuerAccount: null,
  tracksLots: false,
  issuerName: null,
  description: null,
  image: '',
  referencePrice: null,
} as const;

/** Makes a currency. */
export async function registerCurrency(
  env: Env,
  { id: stated, ...currency }: Currency,
  action: OperatorAction,
): Promise<Result<Currency & { readonly id: string }, ApiError>> {
  const id = stated ?? action.id;
  const terms = { ...UNLISTED, ...currency, id, createdAt: Date.now() };
  if (!(await registerAsset(database(env.DB), terms, action)))
    return err(apiError('CONFLICT', 'the id or the symbol is taken', { id, symbol: currency.symbol }));
  return ok({ ...currency, id });
}
