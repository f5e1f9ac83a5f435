import { z } from 'zod';
import { ownId } from '../../domain/identity/own-id.ts';

/** What a client may ask of order entry over a socket (docs/design/order-entry-socket.md#requests). */
const REQUEST_TYPES = [
  'place',
  'place_batch',
  'amend',
  'cancel',
  'cancel_batch',
  'cancel_all',
  'cancel_after',
  'cancel_on_disconnect',
] as const;

export type RequestType = (typeof REQUEST_TYPES)[number];

/** What names a request, and its answer. */
export const socketRequestId = z.union([z.string().min(1).max(64), z.int()]);
const id = socketRequestId;

/** As far as the socket has to understand a message; what else a request has is read where it is run. */
export const SocketMessage = z.union([
  z.looseObject({ type: z.enum(REQUEST_TYPES), id, order: z.looseObject({ symbol: z.string().max(64) }).optional() }),
  z.object({ type: z.literal('ping'), id: id.optional() }),
  z
    .object({
      type: z.literal('auth'),
      id: id.optional(),
      api_key: z.string().max(64).transform(ownId).optional(),
      api_secret: z.string().max(128).optional(),
      token: z.string().max(8_192).optional(),
    })
    .refine(
      ({ api_key, api_secret, token }) =>
        (token === undefined) !== (api_key === undefined) && (api_key === undefined) === (api_secret === undefined),
      'send api_key and api_secret, or token',
    ),
]);

export type SocketMessage = z.infer<typeof SocketMessage>;

export type RequestId = z.infer<typeof id>;

/** A credential that a connection goes by. A key is known by a session, so that no object keeps its secret. */
export type HeldCredential =
  | { readonly type: 'key'; readonly keyId: string; readonly session: string }
  | { readonly type: 'token'; readonly accessToken: string; readonly keyId: string | null };

/** What the requests of one connection need beside their text. */
export interface RequestLane {
  readonly credential: HeldCredential;
  readonly clientAddress: string;
  readonly connectionId: string;
}

/** What became of the requests of one connection. */
export interface LaneAnswer {
  /** One text for each request, in their order. */
  readonly texts: readonly string[];
  /** The credential holds no longer. */
  readonly isRefused: boolean;
  /** Whose orders the connection's end cancels from here on, null for nobody's; left out where that stays as it is. */
  readonly cancelsFor?: { readonly account: string; readonly keyId: string | null } | null;
}
