/** What a transfer agent announces (P-CAR-02, P-CAR-10). */
export const ACTION_TYPES = ['dividend', 'stock_split', 'merger', 'name_change'] as const;

export type ActionType = (typeof ACTION_TYPES)[number];

/** Decimals of an amount per share. */
export const AMOUNT_PER_SHARE_SCALE = 8;

/** What holders are paid for each share. */
export interface CashTerms {
  /** Scaled by AMOUNT_PER_SHARE_SCALE. */
  readonly amountPerShare: number;
  /** Symbol of the currency. */
  readonly currency: string;
  /** Id of its asset. */
  readonly currencyAsset: string;
}

/** P-CAR-05, P-CAR-06 */
export interface DividendTerms extends CashTerms {
  readonly type: 'dividend';
}

/** P-CAR-08: of `ratioFrom` shares come `ratioTo`. */
export interface StockSplitTerms {
  readonly type: 'stock_split';
  readonly ratioFrom: number;
  readonly ratioTo: number;
}

/** What the security is called from its effective date on; null for what stays. */
export interface NameChangeTerms {
  readonly type: 'name_change';
  readonly assetName: string | null;
  readonly cusip: string | null;
  readonly isin: string | null;
}

/** The agent and the issuer carry it out; the venue tells of it. */
interface MergerTerms {
  readonly type: 'merger';
  /** Into whom. */
  readonly counterparty: string;
}

/** Every share ends, for cash. */
export interface CashMergerTerms extends CashTerms, Pick<MergerTerms, 'type' | 'counterparty'> {}

export type ActionTerms = DividendTerms | StockSplitTerms | NameChangeTerms | MergerTerms | CashMergerTerms;

/** A merger for cash goes through other states than one that is told alone. */
export type ActionKind = ActionType | 'cash_merger';

export function actionKind(terms: ActionTerms): ActionKind {
  return terms.type === 'merger' && isPaid(terms) ? 'cash_merger' : terms.type;
}

/** Whether holders are paid for their shares. */
export function isPaid(terms: ActionTerms): terms is DividendTerms | CashMergerTerms {
  return 'currencyAsset' in terms;
}
