import { scaledToDecimal } from '../../money/decimal-text.ts';
import { err, ok, type Result } from '../../result.ts';
import { amountText } from '../amount-text.ts';
import type { RawImportRow } from '../import-rows.ts';
import { amountOf, type OcfFault, type OcfObject, partOf, textOf, textsOf } from './ocf-object.ts';
import { type OpenStock, replayStock } from './replay-stock.ts';

/** Reference of a holder with an account, as an export writes it. */
const ACCOUNT = 'account:';
const COST_SCALE = 2;
/** Decimals of OCF's amounts. */
const AMOUNT_SCALE = 10;
const AMOUNT = /^\+?(\d{1,20})(?:\.(\d{1,10}))?$/;

/** A row of an import, and the stock that it is of. */
export interface OcfRow {
  readonly securityId: string;
  readonly row: RawImportRow;
}

/**
 * Holders of one stock class after all of a document's transactions, as rows of an import: one for each stock that stands, of its stakeholder
 * (`issuer_assigned_id`, else the id), with `custom_id` as its certificate. Costs are whole cents, rounded half up; null where none is stated in dollars.
 *
 * @param stockClass may be null where all stock of the document is of one class
 */
export function rowsOfOcf(
  objects: readonly OcfObject[],
  { stockClass, scale, today }: { readonly stockClass: string | null; readonly scale: number; readonly today?: string },
): Result<readonly OcfRow[], readonly OcfFault[]> {
  const chosen = stockClass === null ? onlyClassOf(objects) : ok(stockClass);
  if (!chosen.ok) return err([chosen.error]);
  const { open, faults } = replayStock(objects, chosen.value, scale, today);
  if (faults.length > 0) return err(faults);
  const stakeholders = new Map<string, OcfObject>();
  const wrong: OcfFault[] = [];
  for (const object of objects) {
    if (object.object_type !== 'STAKEHOLDER') continue;
    const other = stakeholders.get(object.id);
    // Whose the stock is would depend on which of the two is read.
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(object))
      wrong.push({ object_id: object.id, field: 'id', message: 'is that of another stakeholder' });
    stakeholders.set(object.id, object);
  }
  const rows = open.flatMap((stock) => {
    const made = rowOf(stock, stakeholders, scale);
    if (made.ok) return [{ securityId: stock.securityId, row: made.value }];
    wrong.push(made.error);
    return [];
  });
  if (wrong.length > 0) return err(wrong.slice(0, FAULTS_MAX));
  return rows.length > 0 ? ok(rows) : err([{ ...OF_DOCUMENT, message: 'no stock of this class stands' }]);
}

const FAULTS_MAX = 100;
const OF_DOCUMENT = { object_id: null, field: 'stock_class_id' } as const;

function onlyClassOf(objects: readonly OcfObject[]): Result<string, OcfFault> {
  const classes = new Set(
    objects.flatMap((object) =>
      object.object_type === 'TX_STOCK_ISSUANCE' ? (textOf(object, 'stock_class_id') ?? []) : [],
    ),
  );
  const [only] = classes;
  if (only === undefined) return err({ ...OF_DOCUMENT, message: 'the document issues no stock' });
  return classes.size === 1
    ? ok(only)
    : err({ ...OF_DOCUMENT, message: `name one of ${[...classes].slice(0, 10).join(', ')}` });
}

function rowOf(
  stock: OpenStock,
  stakeholders: ReadonlyMap<string, OcfObject>,
  scale: number,
): Result<RawImportRow, OcfFault> {
  const { issuance, securityId, quantity, acquired } = stock;
  const fault = (field: string, message: string) => err({ object_id: issuance.id, field, message });
  const stakeholder = stakeholders.get(textOf(issuance, 'stakeholder_id') ?? '');
  if (stakeholder === undefined) return fault('stakeholder_id', 'is no stakeholder of the document');
  const cost = costOf(stock, scale);
  if (!cost.ok) return fault(cost.error, 'is no amount of money, as text');
  const reference = textOf(stakeholder, 'issuer_assigned_id') ?? stakeholder.id;
  const custom = textOf(issuance, 'custom_id');
  return ok({
    ...(reference.startsWith(ACCOUNT)
      ? { account_id: reference.slice(ACCOUNT.length) }
      : { holder_reference: reference }),
    holder_name: nameOf(partOf(stakeholder, 'name') ?? {}),
    holder_kind: kindOf(textOf(stakeholder, 'stakeholder_type')),
    country: countryOf(stakeholder),
    shares: amountText(scaledToDecimal(quantity, scale)),
    cost: cost.value === null ? null : scaledToDecimal(cost.value, COST_SCALE),
    certificate_number: custom === securityId ? null : custom,
    acquired_at: acquired,
    legend: (textsOf(issuance, 'stock_legend_ids') ?? []).length > 0,
  });
}

function nameOf(name: Readonly<Record<string, unknown>>): string | null {
  const parts = [textOf(name, 'first_name'), textOf(name, 'last_name')].filter((part) => part !== null);
  return textOf(name, 'legal_name') ?? (parts.length > 0 ? parts.join(' ') : null);
}

function kindOf(type: string | null): string | null {
  if (type === null) return null;
  return type === 'INSTITUTION' ? 'entity' : 'individual';
}

/** Of the first address that has one. */
function countryOf({ addresses }: OcfObject): string | null {
  const stated = (Array.isArray(addresses) ? addresses : []) as unknown[];
  for (const address of stated) {
    const country = textOf(partOf({ address }, 'address') ?? {}, 'country');
    if (country !== null) return country;
  }
  return null;
}

/**
 * Cents paid for what stands: of `cost_basis`, else of price and quantity. Null where nothing is stated, or in another currency: a register knows costs in
 * dollars alone. An error is the field that is no amount.
 */
function costOf({ issuance, issued, quantity }: OpenStock, scale: number): Result<number | null, string> {
  const basis = amountOf(issuance, 'cost_basis');
  const field = basis === null ? 'share_price' : 'cost_basis';
  const stated = basis ?? amountOf(issuance, 'share_price');
  if (stated === null) return ok(null);
  const [, whole, decimals = ''] = AMOUNT.exec(textOf(stated, 'amount') ?? '') ?? [];
  const currency = textOf(stated, 'currency')?.trim().toUpperCase() ?? null;
  if (whole === undefined || currency === null) return err(field);
  if (currency !== 'USD') return ok(null);
  const units = BigInt(whole + decimals.padEnd(AMOUNT_SCALE, '0')) * BigInt(quantity);
  const cent = 10n ** BigInt(AMOUNT_SCALE - COST_SCALE);
  const per = cent * (basis === null ? 10n ** BigInt(scale) : BigInt(issued));
  const cents = (2n * units + per) / (2n * per);
  return cents <= BigInt(Number.MAX_SAFE_INTEGER) ? ok(Number(cents)) : err(field);
}
