import { scaledToDecimal } from '../../money/decimal-text.ts';
import { err, ok, type Result } from '../../result.ts';
import { amountText } from '../amount-text.ts';
import type { RawImportRow } from '../import-rows.ts';
import { type OcfFault, type OcfObject, partOf, textOf, textsOf } from './ocf-object.ts';
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
 * (`issuer_assigned_id`, else the id), with `custom_id` as its certificate. Costs are whole cents, rounded half up.
 *
 * @param stockClass may be null where all stock of the document is of one class
 */
export function rowsOfOcf(
  objects: readonly OcfObject[],
  { stockClass, scale }: { readonly stockClass: string | null; readonly scale: number },
): Result<readonly OcfRow[], readonly OcfFault[]> {
  const chosen = stockClass === null ? onlyClassOf(objects) : ok(stockClass);
  if (!chosen.ok) return err([chosen.error]);
  const { open, faults } = replayStock(objects, chosen.value, scale);
  if (faults.length > 0) return err(faults);
  const stakeholders = new Map(
    objects.flatMap((object) => (object.object_type === 'STAKEHOLDER' ? [[object.id, object] as const] : [])),
  );
  const wrong: OcfFault[] = [];
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
  if (cost === null) return fault('cost_basis', 'is no amount of USD, as text');
  const reference = textOf(stakeholder, 'issuer_assigned_id') ?? stakeholder.id;
  const custom = textOf(issuance, 'custom_id');
  return ok({
    ...(reference.startsWith(ACCOUNT)
      ? { account_id: reference.slice(ACCOUNT.length) }
      : { holder_reference: reference }),
    holder_name: textOf(partOf(stakeholder, 'name') ?? {}, 'legal_name'),
    holder_kind: textOf(stakeholder, 'stakeholder_type') === 'INSTITUTION' ? 'entity' : 'individual',
    country: countryOf(stakeholder),
    shares: amountText(scaledToDecimal(quantity, scale)),
    cost: scaledToDecimal(cost, COST_SCALE),
    certificate_number: custom === securityId ? null : custom,
    acquired_at: acquired,
    legend: (textsOf(issuance, 'stock_legend_ids') ?? []).length > 0,
  });
}

function countryOf(stakeholder: OcfObject): string | null {
  const { addresses } = stakeholder;
  const [first]: unknown[] = Array.isArray(addresses) ? addresses : [];
  return textOf(partOf({ first }, 'first') ?? {}, 'country');
}

/** Cents paid for what stands: of `cost_basis`, else of price and quantity. Null where that is none in USD. */
function costOf({ issuance, issued, quantity }: OpenStock, scale: number): number | null {
  const basis = partOf(issuance, 'cost_basis');
  const stated = basis ?? partOf(issuance, 'share_price');
  if (stated === null || textOf(stated, 'currency') !== 'USD') return null;
  const [, whole, decimals = ''] = AMOUNT.exec(textOf(stated, 'amount') ?? '') ?? [];
  if (whole === undefined) return null;
  const units = BigInt(whole + decimals.padEnd(AMOUNT_SCALE, '0')) * BigInt(quantity);
  const cent = 10n ** BigInt(AMOUNT_SCALE - COST_SCALE);
  const per = cent * (basis === null ? 10n ** BigInt(scale) : BigInt(issued));
  const cents = (2n * units + per) / (2n * per);
  return cents <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(cents) : null;
}
