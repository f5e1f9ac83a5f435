import type { InvestorFacts } from '../../domain/accreditation/attributes-of.ts';
import { keyGateName } from '../../domain/identity/gate-name.ts';
import type { GateApi, TokenClaims } from '../gate/api.ts';

/** Who is at the other end of a socket. */
export interface Caller {
  /** Gate that counts the connections: of the user, else of the address. */
  readonly leaseGate: string;
  readonly clientAddress: string;
  /** Null for a connection without a credential. */
  readonly identity: Identity | null;
}

/** What a credential proved, kept so that it can be asked again while the socket lives. */
export interface Identity {
  readonly credential:
    | { readonly type: 'key'; readonly keyId: string }
    | {
        readonly type: 'token';
        readonly gate: string;
        readonly claims: TokenClaims;
        /** Unix seconds. */
        readonly expiresAt: number;
      };
  /** Trading account whose orders it may follow; null without one or without scope `read`. */
  readonly account: string | null;
  /** Decides which offerings it may see. */
  readonly facts: InvestorFacts | null;
}

/** The header in which the Worker tells an object who connects; only the Worker reaches objects. */
export const CALLER_HEADER = 'x-feed-caller';

export function gateOf(env: Env, name: string): GateApi {
  return env.GATE.getByName(name) as unknown as GateApi;
}

/** Whether the credential that a socket was opened with still holds. */
export async function stillHolds(env: Env, { credential }: Identity, now_ms: number): Promise<boolean> {
  if (credential.type === 'key') return gateOf(env, keyGateName(credential.keyId)).keyHolds(credential.keyId);
  if (credential.expiresAt * 1_000 <= now_ms) return false;
  return (await gateOf(env, credential.gate).checkToken(credential.claims)) === null;
}
