import type { BookConfig } from '../../../data/markets/book-config.ts';
import { batchText } from '../../../domain/ledger/batch-text.ts';
import type { AmendmentAdmission, OrderAdmission } from '../../../domain/ledger/records.ts';
import type { BookBatch } from '../../../domain/ledger/transactions.ts';
import { admissionOf } from '../admission/admission.ts';
import type { AdmissionRequest } from '../admission/admission-request.ts';
import type { OutboxRow } from '../journal/journal.ts';

/** Where a book stands in the ledger: the fence of docs/design/order-path.md#the-fence. */
export interface Fence {
  readonly batch: number;
  readonly settled: number;
}

/** A batch for the ledger, with the commands it carries in their order. */
export interface Batch {
  readonly batch: number;
  readonly settledTo: number;
  /** Its `batchText`: what is sent again is the same to the letter. */
  readonly text: string;
  readonly requests: readonly AdmissionRequest[];
}

/** The batch that follows a fence: effects in journal order, then what each command asks of the ledger. */
export function batchAfter(
  fence: Fence,
  owner: string,
  { market, emitsEvents }: BookConfig,
  settling: readonly OutboxRow[],
  requests: readonly AdmissionRequest[],
): Batch {
  const orders: OrderAdmission[] = [];
  const amendments: AmendmentAdmission[] = [];
  for (const request of requests) {
    if (request.kind === 'order') orders.push(admissionOf(request.prepared));
    else if ((request.kind === 'refused' || request.kind === 'rejection') && request.admission !== null)
      orders.push(request.admission);
    else if (request.kind === 'amendment' || request.kind === 'conversion') amendments.push(request.prepared.admission);
  }
  const batch: BookBatch = {
    kind: 'batch',
    book: market.symbol,
    owner,
    batch: fence.batch + 1,
    settledFrom: fence.settled,
    settledTo: settling.at(-1)?.seq ?? fence.settled,
    baseAsset: market.baseAsset,
    quoteAsset: market.quoteAsset,
    tracksLots: market.tracksLots,
    emitsEvents,
    chunks: settling.map((row) => row.chunk),
    orders,
    amendments,
  };
  return { batch: batch.batch, settledTo: batch.settledTo, text: batchText(batch), requests };
}
