/** Where a client is tried, and with what. */
export interface Place {
  readonly origin: string;
  /** `host:port`; null where no such gateway is known. */
  readonly grpc: string | null;
  readonly fix: string | null;
  readonly key: { readonly id: string; readonly secret: string };
  readonly symbol: string;
  /** Of a bid that rests. */
  readonly price: string;
  /** For files that are thrown away. */
  readonly folder: string;
}

/** What was told of an order at each step: its id, and how it was found and ended. */
export interface Steps {
  readonly placed: string;
  readonly seen: string;
  readonly cancelled: string;
}

/** A way to the exchange: places an order of one unit, finds it, and cancels it. */
export interface Door {
  readonly name: string;
  /** @throws Missing, or what went wrong */
  attempt(place: Place): Promise<Steps>;
}

/** A door that cannot be tried here, and what is missing for it. */
export class Missing extends Error {}

/** How long a program or an answer is waited for. */
export const WAIT_MS = 60_000;
