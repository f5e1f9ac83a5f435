/** How many of each there may be at once. Each is a row that some list or check reads. */
export const EVENT_BOUNDS = {
  /** Of a tenant, until they are shredded: those that were deleted too. Three a day, as long as one is retained, are ninety. */
  events_max: 1_000,
  /** Of an event: more than the largest fairs have halls and doors. Alerts look at all rooms. */
  rooms_max: 500,
  cameras_max: 500,
  /** Of an event: a full stadium. */
  attendees_max: 100_000,
  /** Of a tenant's own, until they are deleted for good. */
  collections_max: 500,
} as const;

/** How long an entry of the staff's trail is kept: as long as most claims of somebody whose data was seen can be brought. */
export const TRAIL_KEPT_YEARS = 3;
