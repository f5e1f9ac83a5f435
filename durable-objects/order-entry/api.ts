import type { ApiError } from '../../protocol/errors/api-error.ts';
import type { HeldCredential, LaneAnswer } from '../../protocol/order-entry/socket-message.ts';
import type { SwitchHolder } from '../cancel-switch/api.ts';

/** Objects that the sockets of order entry are spread over: few, because what several connections ask in one turn goes together. */
export const ORDER_ENTRY_OBJECTS = 4;

/** The header in which the Worker tells an object who connects; only the Worker reaches objects. */
export const ORDER_CALLER_HEADER = 'x-order-caller';

/** Who is at the other end of a socket. */
export interface OrderCaller {
  /** Gate that counts the connections: of the user, else of the address. */
  readonly leaseGate: string;
  readonly clientAddress: string;
  /** Null until a message brings one. */
  readonly credential: HeldCredential | null;
}

/** Order entry itself, as the Worker offers it to its own objects; the arguments are texts, which cost a call less than records. */
export interface OrderEntryDoor {
  /** @param lanes a JSON array: for each connection its credential, its address and its requests */
  run(lanes: string): Promise<LaneAnswer[]>;
  /** Cancels the holder's open orders wherever they are; false where some may be left. */
  cancelAll(holder: SwitchHolder): Promise<boolean>;
  /** Proves a credential that came as a message. */
  authenticate(
    credential: { readonly keyId: string; readonly secret: string } | { readonly accessToken: string },
    clientAddress: string,
  ): Promise<{ readonly held: HeldCredential } | { readonly error: ApiError }>;
}
