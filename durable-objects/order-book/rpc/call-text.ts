import { type PackedList, recordCodec } from '../../../domain/ledger/record-codec.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { sorted, unsorted } from '../journal/sorted-list.ts';
import type { BookCommand, BookResult, OrderReport, PlaceCommand } from './commands.ts';

/**
 * The commands of one call, and their results, as JSON with placements and reports packed. A call as objects repeats every field's
 * name for each of them: it takes three times as long to encode and decode with 500 orders, and an order over HTTP 3 % more in all
 * (measured).
 */
export async function submitAsText(
  book: { submitText(commands: string): Promise<string> },
  commands: readonly BookCommand[],
): Promise<BookResult[]> {
  return resultsOf(await book.submitText(commandsText(commands)));
}

const termsCodec = recordCodec<OrderTerms>(
  (side, type, timeInForce, quantity, price, stopPrice, expiresAt, selfTradePrevention, hidden, displayQuantity) => ({
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
  }),
);

const placeCodec = recordCodec<PlaceCommand>(
  (
    orderId,
    account,
    owner,
    keyId,
    clientOrderId,
    terms,
    attributes,
    requires,
    allowanceAsset,
    positionAsset,
    factsVersion,
    rulesVersion,
    daily,
    family,
    rate,
    quoted,
    investor,
    identityEndsAt,
  ) => ({
    type: 'place',
    orderId,
    account,
    owner,
    keyId,
    clientOrderId,
    terms,
    attributes,
    requires,
    allowanceAsset,
    positionAsset,
    factsVersion,
    rulesVersion,
    daily,
    family,
    rate,
    quoted,
    investor,
    identityEndsAt,
  }),
  { records: { terms: termsCodec }, leftOut: { investor: true, identityEndsAt: true } },
);

const reportCodec = recordCodec<OrderReport>(
  (orderId, status, quantity, price, filled, filledNotional, remaining, restricted, code, timestamp) => ({
    orderId,
    status,
    quantity,
    price,
    filled,
    filledNotional,
    remaining,
    restricted,
    code,
    timestamp,
  }),
);

type OtherCommand = Exclude<BookCommand, PlaceCommand>;
type Done = Extract<BookResult, { type: 'done' }>;
type OtherResult = Exclude<BookResult, Done>;

interface PackedCommands {
  readonly places: PackedList;
  readonly others: readonly (readonly [at: number, command: OtherCommand])[];
}

interface PackedResults {
  readonly reports: PackedList;
  readonly others: readonly (readonly [at: number, result: OtherResult])[];
}

function commandsText(commands: readonly BookCommand[]): string {
  const { many, few } = sorted<PlaceCommand, OtherCommand>(commands, (command) => command.type === 'place');
  return JSON.stringify({ places: placeCodec.packList(many), others: few } satisfies PackedCommands);
}

/** The commands of a `submitAsText`. */
export function commandsOf(text: string): BookCommand[] {
  const { places, others } = JSON.parse(text) as PackedCommands;
  return unsorted<PlaceCommand, OtherCommand>({ many: placeCodec.unpackList(places), few: others });
}

/** What `submitAsText` reads the results from. */
export function resultsText(results: readonly BookResult[]): string {
  const { many, few } = sorted<Done, OtherResult>(results, (result) => result.type === 'done');
  const reports = reportCodec.packList(many.map(({ report }) => report));
  return JSON.stringify({ reports, others: few } satisfies PackedResults);
}

function resultsOf(text: string): BookResult[] {
  const { reports, others } = JSON.parse(text) as PackedResults;
  const many = reportCodec.unpackList(reports).map((report): Done => ({ type: 'done', report }));
  return unsorted<Done, OtherResult>({ many, few: others });
}
