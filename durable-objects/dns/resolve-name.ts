const ANSWER_MS_MAX = 5_000;
const ANSWER_LENGTH_MAX = 65_536;
/** Records looked at of each kind: a name with more is none of a receiver. */
const ADDRESSES_MAX = 32;

/** Resource record types of addresses (RFC 1035, RFC 3596). */
const TYPES = { A: 1, AAAA: 28 } as const;

/**
 * The addresses of a name, of IPv4 and IPv6, by DNS over HTTPS in its JSON form. Null where they cannot be known now, or are too many to be
 * examined.
 *
 * @param resolver e.g. `https://cloudflare-dns.com/dns-query`
 */
export async function resolveName(resolver: string, name: string): Promise<readonly string[] | null> {
  const answers = await Promise.all([addressesOf(resolver, name, 'A'), addressesOf(resolver, name, 'AAAA')]);
  const addresses: string[] = [];
  for (const answer of answers) {
    if (answer === null) return null;
    addresses.push(...answer);
  }
  return addresses;
}

async function addressesOf(resolver: string, name: string, type: keyof typeof TYPES): Promise<string[] | null> {
  try {
    const url = new URL(resolver);
    url.searchParams.set('name', name);
    url.searchParams.set('type', type);
    const answer = await fetch(url, {
      headers: { accept: 'application/dns-json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await answer.text();
    return answer.ok && text.length <= ANSWER_LENGTH_MAX ? readAnswer(JSON.parse(text), TYPES[type]) : null;
  } catch {
    return null;
  }
}

/** Response codes of DNS: 0 is an answer, 3 says that there is no such name. */
function readAnswer(told: unknown, type: number): string[] | null {
  if (typeof told !== 'object' || told === null) return null;
  const { Status: status, Answer: records = [] } = told as { Status?: unknown; Answer?: unknown };
  if (status === 3) return [];
  if (status !== 0 || !Array.isArray(records) || records.length > ADDRESSES_MAX) return null;
  const addresses: string[] = [];
  for (const record of records as unknown[]) {
    if (typeof record !== 'object' || record === null) return null;
    const { type: its, data } = record as { type?: unknown; data?: unknown };
    if (its !== type) continue;
    if (typeof data !== 'string') return null;
    addresses.push(data);
  }
  return addresses;
}
