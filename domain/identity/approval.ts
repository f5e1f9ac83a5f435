import { ownId } from './own-id.ts';

/** Of a call that a second operator decides on. */
export const APPROVAL_STATES = ['asked', 'approved', 'rejected'] as const;

export type ApprovalState = (typeof APPROVAL_STATES)[number];

export interface AskedCall {
  readonly state: ApprovalState;
  /** User ids of everybody who may have asked. */
  readonly people: readonly string[];
  /** Method and path of the call, of which a part may name a user. */
  readonly call: string;
  /** Its body as JSON, of which a value may name a user or their account. */
  readonly body: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** The action that it was used for, or null. */
  readonly usedBy: string | null;
}

/**
 * Why these people may not decide on a call; null where they may. Neither who asked, nor whom the call is about. What was approved may be rejected until
 * it is used.
 *
 * @param decision as what they decide
 * @param deciders ids of users and of their accounts
 * @param behind the same of those behind what the call names by other ids
 */
export function decisionFailure(
  asked: AskedCall,
  decision: Exclude<ApprovalState, 'asked'>,
  { deciders, behind }: { readonly deciders: ReadonlySet<string>; readonly behind: readonly string[] },
  now: number,
): 'expired' | 'decided' | 'same_person' | 'about_you' | null {
  if (asked.expiresAt <= now) return 'expired';
  if (asked.people.some((person) => deciders.has(person))) return 'same_person';
  if ([...namesOf(asked), ...behind].some((name) => deciders.has(name))) return 'about_you';
  const isRevoked = decision === 'rejected' && asked.state === 'approved' && asked.usedBy === null;
  return asked.state === 'asked' || isRevoked ? null : 'decided';
}

/** A call as it may name somebody. */
export type NamedCall = Pick<AskedCall, 'call' | 'body'>;

/** Everything that a call may name somebody by; an id of ours also as it is kept, since paths are read without regard to its case. */
export function namesOf({ call, body }: NamedCall): string[] {
  const names = call.split('/').map(decoded);
  JSON.parse(body, (_key, value: unknown) => {
    if (typeof value === 'string') names.push(value);
    return value;
  });
  return [...new Set([...names, ...names.map(ownId)])];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
