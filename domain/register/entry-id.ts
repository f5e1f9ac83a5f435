import { tradeEventId } from '../partner/trade-event-id.ts';

/** The id under which the ledger carries out an attempt at an event of a register: the same in every run of it. */
export function entryId(event: string, attempt: number): string {
  return attempt === 1 ? event : tradeEventId(event, `register_entry.${attempt}`);
}
