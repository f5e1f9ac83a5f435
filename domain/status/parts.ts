/** Parts of the venue as its customers know them. */
export const STATUS_PARTS = ['trading', 'market_data', 'money', 'sign_in', 'partners', 'bridge', 'events'] as const;

export type StatusPart = (typeof STATUS_PARTS)[number];

/** Of the venue as a whole, from best to worst. */
export const VENUE_STATES = ['ok', 'degraded', 'down'] as const;

export type VenueState = (typeof VENUE_STATES)[number];

/** `unknown` is a part that nobody measures. */
export const PART_STATES = [...VENUE_STATES, 'unknown'] as const;

export type PartState = (typeof PART_STATES)[number];

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

export type IncidentState = (typeof INCIDENT_STATES)[number];
