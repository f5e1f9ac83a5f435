/** What a transfer agent announces (P-CAR-02, P-CAR-10). */
export const ACTION_TYPES = ['dividend', 'stock_split', 'merger', 'name_change', 'share_cancellation'] as const;

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

/** What counts the shares of its security says by which of them: those of after so many splits, as it was announced. Another split, and it takes no step. */
interface CountedTerms {
  /** None of what was announced before these were written. */
  readonly splits?: number;
}

/** One holder gives shares back to the issuer. */
export interface CancellationTerms extends CountedTerms {
  readonly type: 'share_cancellation';
  /** Id of the holder in the register. */
  readonly holder: string;
  /** Scaled by `scale`, that of the security. */
  readonly shares: number;
  readonly scale: number;
}

/** The agent and the issuer carry it out; the venue tells of it. */
interface MergerTerms {
  readonly type: 'merger';
  /** Into whom. */
  readonly counterparty: string;
}

/** Of `ratioFrom` shares come `ratioTo` of another security, whose register the same agent keeps. */
export interface StockTerms {
  /** Id of the surviving security. */
  readonly survivor: string;
  readonly ratioFrom: number;
  readonly ratioTo: number;
  /** None of them is free before, Unix ms; null where each lot keeps its own end. */
  readonly restrictionEndsAt: number | null;
}

/** Every share ends, for shares of another security. */
export interface StockMergerTerms extends CountedTerms, MergerTerms {
  readonly stock: StockTerms;
}

/** Every share ends, for cash, or for cash and shares of another security. */
export interface CashMergerTerms extends CashTerms, CountedTerms, MergerTerms {
  readonly stock?: StockTerms;
}

export type ActionTerms =
  | DividendTerms
  | StockSplitTerms
  | NameChangeTerms
  | CancellationTerms
  | MergerTerms
  | StockMergerTerms
  | CashMergerTerms;

/** A merger that ends shares goes through other states than one that is told alone. */
export type ActionKind = ActionType | 'cash_merger' | 'stock_merger';

export function actionKind(terms: ActionTerms): ActionKind {
  if (!endsShares(terms)) return terms.type;
  return isPaid(terms) ? 'cash_merger' : 'stock_merger';
}

export function endsShares(terms: ActionTerms): terms is StockMergerTerms | CashMergerTerms {
  return terms.type === 'merger' && (isPaid(terms) || 'stock' in terms);
}

/** Whether its terms mean shares of the day of its announcement: so many of them, or so much for each. */
export function countsShares(terms: ActionTerms): boolean {
  return endsShares(terms) || terms.type === 'share_cancellation';
}

/** Whether holders have fewer shares afterwards, or none: no agent decides that by itself. */
export function takesShares(terms: ActionTerms): boolean {
  if (terms.type === 'stock_split') return terms.ratioTo < terms.ratioFrom;
  return countsShares(terms);
}

/** Whether it ends or divides what holders have. */
export function changesShares(terms: {
  readonly type: ActionType;
  readonly stock?: unknown;
  readonly amountPerShare?: number;
}): boolean {
  if (terms.type !== 'merger') return terms.type === 'stock_split' || terms.type === 'share_cancellation';
  return terms.stock !== undefined || terms.amountPerShare !== undefined;
}

/** Shares of which security take the place of those that end, and how many; null of any action without. */
export function stockOf(terms: ActionTerms): StockTerms | null {
  return 'stock' in terms ? (terms.stock ?? null) : null;
}

/** Whether holders are paid for their shares. */
export function isPaid(terms: ActionTerms): terms is DividendTerms | CashMergerTerms {
  return 'currencyAsset' in terms;
}
