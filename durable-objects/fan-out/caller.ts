import type { InvestorFacts } from '../../domain/accreditation/attributes-of.ts';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';
import type { SigningKeyName } from '../credentials/verification-keys.ts';
import type { TokenClaims } from '../gate/api.ts';

/** Who is at the other end of a socket. */
export interface Caller {
  /** Gate that counts the connections: of the partner's organization for its streams, else of the user, else of the address. */
  readonly leaseGate: string;
  readonly clientAddress: string;
  /** Null for a connection without a credential. */
  readonly identity: Identity | null;
  /** What a stream of partners follows from its handshake to its end; absent for a connection that subscribes by messages. */
  readonly stream?: PartnerStream;
}

export interface PartnerStream {
  readonly organization: string;
  readonly securityId: string;
  /** Key of its one topic. */
  readonly topic: string;
  /** The last sequence that the client has; null for none. */
  readonly resumeFrom: number | null;
}

/** What a credential proved, kept so that it can be asked again while the socket lives. */
export interface Identity {
  readonly credential:
    | {
        readonly type: 'key';
        /** Name of its user's Gate. */
        readonly gate: string;
        readonly keyId: string;
        readonly secretVersion: string | null;
      }
    | {
        readonly type: 'token';
        /** Name of its bearer's Gate. */
        readonly gate: string;
        readonly claims: TokenClaims;
        /** Unix seconds. */
        readonly expiresAt: number;
        readonly signedBy: SigningKeyName;
        /** The bearer's API key that it acts under; null for none. */
        readonly keyId: string | null;
      };
  /** Trading account whose orders it may follow; null without one or without scope `read`. */
  readonly account: string | null;
  /** Decides which offerings it may see. */
  readonly facts: InvestorFacts | null;
  /** Decides whether it may act for a partner. */
  readonly partnerRoles: readonly PartnerRole[];
}

/** The header in which the Worker tells an object who connects; only the Worker reaches objects. */
export const CALLER_HEADER = 'x-feed-caller';
