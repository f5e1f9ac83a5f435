/** Of a call that a second operator decides on. */
export const APPROVAL_STATES = ['asked', 'approved', 'rejected'] as const;

type ApprovalState = (typeof APPROVAL_STATES)[number];

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
}

/**
 * Why these people may not decide on a call; null where they may. Neither who asked, nor whom the call is about.
 *
 * @param deciders ids of users and of their accounts
 * @param behind the same of those behind what the call names by other ids
 */
export function decisionFailure(
  asked: AskedCall,
  { deciders, behind }: { readonly deciders: ReadonlySet<string>; readonly behind: readonly string[] },
  now: number,
): 'expired' | 'decided' | 'same_person' | 'about_you' | null {
  if (asked.expiresAt <= now) return 'expired';
  if (asked.people.some((person) => deciders.has(person))) return 'same_person';
  if ([...namesOf(asked), ...behind].some((name) => deciders.has(name))) return 'about_you';
  return asked.state === 'asked' ? null : 'decided';
}

/** Everything that a call may name somebody by. */
export function namesOf({ call, body }: Pick<AskedCall, 'call' | 'body'>): string[] {
  const names = call.split('/').map(decoded);
  JSON.parse(body, (_key, value: unknown) => {
    if (typeof value === 'string') names.push(value);
    return value;
  });
  return names;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
