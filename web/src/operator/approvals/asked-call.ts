import { add, type Decimal, subtract } from '../../numbers/decimal.ts';

/** What a call of an operator does, as far as this page can say it; it makes no others. */
const KINDS = [
  ['deposit', /^POST \/v1\/operator\/deposits$/],
  ['withdrawal', /^POST \/v1\/operator\/withdrawals$/],
  ['execute', /^POST \/v1\/operator\/transfer-requests\/([^/]+)\/execute$/],
  ['bust', /^POST \/v1\/operator\/trades\/([^/]+)\/bust$/],
  ['correction', /^POST \/v1\/operator\/trades\/([^/]+)\/correction$/],
  ['create_user', /^POST \/v1\/operator\/users$/],
  ['change_user', /^PATCH \/v1\/operator\/users\/([^/]+)$/],
  ['reactivate', /^POST \/v1\/operator\/users\/([^/]+)\/reactivate$/],
  ['factors', /^POST \/v1\/operator\/users\/([^/]+)\/factor-recovery$/],
  ['unfreeze', /^POST \/v1\/operator\/accounts\/([^/]+)\/unfreeze$/],
  ['resume_market', /^POST \/v1\/operator\/markets\/([^/]+)\/resume$/],
  ['resume_venue', /^POST \/v1\/operator\/venue\/resume$/],
] as const;

type AskedKind = (typeof KINDS)[number][0];

export interface AskedCall {
  readonly kind: AskedKind | 'other';
  /** What its path names: a user, an account, a trade, a request, a market. */
  readonly subject: string | null;
  readonly method: string;
  /** Within the profile. */
  readonly path: string;
}

/** Reads `POST /exchange/v1/operator/deposits`; at a host of the profile's own the path has no segment before it. */
export function askedCall(call: string): AskedCall {
  const [method = '', at = ''] = call.split(' ', 2);
  const path = at.replace(/^\/exchange(?=\/)/, '');
  for (const [kind, pattern] of KINDS) {
    const match = pattern.exec(`${method} ${path}`);
    if (match === null) continue;
    const subject = match[1] === undefined ? null : decoded(match[1]);
    if (subject !== undefined) return { kind, subject, method, path };
  }
  return { kind: 'other', subject: null, method, path };
}

/** Whoever asks writes the path: a part that does not decode names nothing. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

interface Balance {
  readonly available: Decimal;
  readonly held: Decimal;
}

/** A balance once money has come or gone. What a request of a user pays out was held for it; what an operator pays out by hand was available. */
export function balanceAfter(
  { available, held }: Balance,
  {
    type,
    amount,
    isRequest,
  }: { readonly type: 'deposit' | 'withdrawal'; readonly amount: Decimal; readonly isRequest: boolean },
): Balance {
  if (type === 'deposit') return { available: add(available, amount), held };
  return isRequest ? { available, held: subtract(held, amount) } : { available: subtract(available, amount), held };
}
