const ANSWER_WAIT_MS = 60_000;

/** A transfer as the bridge shows it, as far as scripts look at it. */
export interface ShownTransfer {
  readonly id: string;
  readonly state: string;
  readonly source: { readonly address?: string };
  readonly destination: { readonly account_id?: string };
  readonly quote: { readonly amount_in: string; readonly amount_out: string };
  readonly commitment: string;
  readonly deposit: { readonly call: DepositCall | null } | null;
  readonly refund_reason: string | null;
  readonly waits_for: string | null;
  readonly payment: { readonly kind: string; readonly transaction: string | null } | null;
  readonly history: readonly { readonly to: string }[];
}

/** How a transfer says that its funds are to be paid in. */
export interface DepositCall {
  readonly to: string;
  readonly data: string;
  readonly value: string;
  readonly approve: { readonly token: string; readonly spender: string } | null;
}

/** Calls the bridge for a tenant. @throws Error where the answer is another than the expected one */
export type TenantCall = <Data>(target: string, body?: unknown, expected?: number) => Promise<Data>;

export function tenantCall(origin: string, hostname: string, accessToken: string): TenantCall {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (target, body, expected = 200) => {
    const [method = '', path = ''] = target.split(' ');
    return answer(`${origin}/bridge${path}?hostname=${hostname}`, json(method, body, headers), expected);
  };
}

export function json(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** @throws Error where the answer is another than the expected one */
export async function answer<Data>(url: string, init: RequestInit, expected: number): Promise<Data> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status} and not ${expected}: ${text}`);
  return JSON.parse(text) as Data;
}
