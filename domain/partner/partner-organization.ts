/** What an organization is to the venue (docs/design/partner.md#organizations). Its users have the role of the same name. */
export const PARTNER_ROLES = ['cross_lister', 'transfer_agent', 'bridge_tenant'] as const;

/** Those that have to do with securities: the partner profile is theirs, but for webhooks and the list of events, which are everybody's. */
export const SECURITIES_ROLES = ['cross_lister', 'transfer_agent'] as const satisfies readonly PartnerRole[];

export type PartnerRole = (typeof PARTNER_ROLES)[number];

/** organization-state.ts says what becomes what. */
export const PARTNER_STATES = ['applied', 'active', 'refused', 'suspended'] as const;
