import type { NonceOffer, SignerShare } from '../bridge-signer.ts';
import type { SecretNonces } from '../frost-signing.ts';
import { statementDigest } from '../signer-identity.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

/** Places for sessions: one that falls on the place of another takes it, and the nonces of that one are lost with it. */
const SESSION_SLOTS = 1_024;

/** One session of a signer: its nonces, or what they became. Never both. */
export interface SessionRecord {
  readonly session: string;
  /** What it is for. */
  readonly job: string;
  readonly offer: NonceOffer;
  /** Null once a share was made with them. */
  readonly nonces: readonly SecretNonces[] | null;
  /** The offers that it answered, and its answer, which a repetition gets again. */
  readonly answered: { readonly offers: string; readonly share: SignerShare } | null;
}

/** Null where there is none any more. */
export function readSession(memory: SignerMemory, session: string): SessionRecord | null {
  const text = memory.read('session', slotOf(session));
  const record = text === null ? null : (JSON.parse(text) as SessionRecord);
  return record?.session === session ? record : null;
}

export function sessionChange(record: SessionRecord): RecordChange {
  return { kind: 'session', id: slotOf(record.session), text: JSON.stringify(record) };
}

function slotOf(session: string): string {
  return String(Number.parseInt(statementDigest(['edge.bridge.session.v1', session]).slice(0, 8), 16) % SESSION_SLOTS);
}
