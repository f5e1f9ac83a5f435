/** Rooms of one event that occupancy and alerts cover. */
export const ROOMS_READ_MAX = 10_000;
