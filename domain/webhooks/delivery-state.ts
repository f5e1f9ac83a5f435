/**
 * `waiting`: in the queue. `delivered`: the receiver has answered 2xx. `dead`: given up with its endpoint, kept for a replay. `skipped`: given up
 * by the endpoint's owner.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'dead', 'skipped'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];
