/**
 * The organization that runs the exchange. Its operators act on every account and market; an operator of another organization reads
 * that organization's accounts and no more (DESIGN 5).
 */
export const VENUE_OWNER = 'venue';
