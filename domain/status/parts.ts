/** Parts of the venue as its customers know them. */
export const STATUS_PARTS = ['trading', 'market_data', 'money', 'sign_in', 'partners', 'bridge', 'events'] as const;

export type StatusPart = (typeof STATUS_PARTS)[number];

/** From best to worst. */
export const PART_STATES = ['ok', 'degraded', 'down'] as const;

export type PartState = (typeof PART_STATES)[number];

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;

export type IncidentState = (typeof INCIDENT_STATES)[number];
