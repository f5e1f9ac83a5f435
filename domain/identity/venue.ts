/**
 * The organization that runs the exchange. Its operators act on every account and market; an operator of another organization reads
 * that organization's accounts and no more (docs/design/identity.md#tenancy).
 */
export const VENUE_OWNER = 'venue';
