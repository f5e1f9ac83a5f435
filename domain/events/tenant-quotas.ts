import { DAY_MS, MINUTE_MS } from '../calendar/durations.ts';

/** What a tenant of the events service uses up. */
export const QUOTA_RESOURCES = [
  'frames',
  'photos',
  'searches',
  'weapon_images',
  'enhancements',
  'bytes',
  'trail_entries',
] as const;

export type QuotaResource = (typeof QUOTA_RESOURCES)[number];

export const QUOTA_WINDOWS = ['minute', 'day'] as const;

export type QuotaWindow = (typeof QUOTA_WINDOWS)[number];

const WINDOW_MS: Readonly<Record<QuotaWindow, number>> = { minute: MINUTE_MS, day: DAY_MS };

export interface Quota {
  readonly resource: QuotaResource;
  readonly window: QuotaWindow;
  readonly amount_max: number;
}

/** How much of each a tenant may use up between two full minutes, and between two midnights in UTC. */
export const TENANT_QUOTAS: readonly Quota[] = [
  // A hundred a second: fifty cameras that send two.
  { resource: 'frames', window: 'minute', amount_max: 6_000 },
  // A row of 500 bytes each: a tenant alone takes ten days to half of what the database holds.
  { resource: 'frames', window: 'day', amount_max: 1_000_000 },
  // Five a registration: as many people as come through the doors of a large hall.
  { resource: 'photos', window: 'minute', amount_max: 1_500 },
  { resource: 'photos', window: 'day', amount_max: 100_000 },
  // Each is a photo that is looked at, or a walk through a gallery: as many as photos.
  { resource: 'searches', window: 'minute', amount_max: 1_500 },
  { resource: 'searches', window: 'day', amount_max: 100_000 },
  { resource: 'weapon_images', window: 'minute', amount_max: 1_500 },
  { resource: 'weapon_images', window: 'day', amount_max: 100_000 },
  // More than a quarter of what the service can do in a day.
  { resource: 'enhancements', window: 'day', amount_max: 10_000 },
  // A million frames of 256 KiB.
  { resource: 'bytes', window: 'day', amount_max: 256 * 1024 ** 3 },
  // A row of 250 bytes each: 50 MB a day.
  { resource: 'trail_entries', window: 'day', amount_max: 200_000 },
];

/**
 * Of the quotas of a tenant, what one user may use up. Whoever has one token at 300 requests a minute is at the end of it before they have kept all others
 * from their work; an integration that asks once a second is not.
 */
export const USER_QUOTAS: readonly Quota[] = [{ resource: 'trail_entries', window: 'day', amount_max: 100_000 }];

/** When the window began that a time is in, in Unix milliseconds. */
export function windowStart(window: QuotaWindow, now: number): number {
  return now - (now % WINDOW_MS[window]);
}

/** When it ends. */
export function windowEnd(window: QuotaWindow, now: number): number {
  return windowStart(window, now) + WINDOW_MS[window];
}
