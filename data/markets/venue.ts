import type { Database } from '../database.ts';
import { venue } from '../schema/markets.ts';

/** Whether the market-wide halt is in force. */
export async function isVenueHalted(db: Database): Promise<boolean> {
  return (await db.select({ halted: venue.halted }).from(venue).get())?.halted === true;
}
