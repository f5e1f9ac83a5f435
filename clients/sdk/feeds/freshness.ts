/** How far a copy may be trusted: `healing` until it is right again, `stale` while nothing comes and it is as old as the loss. */
export type Freshness = 'fresh' | 'healing' | 'stale';
