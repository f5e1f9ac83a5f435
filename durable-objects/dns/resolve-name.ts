const ANSWER_MS_MAX = 5_000;
const ANSWER_LENGTH_MAX = 65_536;
const TOO_MANY_REQUESTS = 429;
/** Records looked at of each kind: a name with more is none of a receiver. */
const ADDRESSES_MAX = 32;

/** Resource record types of addresses (RFC 1035, RFC 3596). */
const TYPES = { A: 1, AAAA: 28 } as const;

/**
 * Addresses; or why there are none: `away` where the resolver does not answer, which is nobody's fault but ours; `failed` where its answer is of no use, since
 * servers of the name fail, or its addresses are too many to be examined.
 */
type Resolved = readonly string[] | 'away' | 'failed';

/**
 * The addresses of a name, of IPv4 and IPv6, by DNS over HTTPS in its JSON form.
 *
 * @param resolver e.g. `https://cloudflare-dns.com/dns-query`
 */
export async function resolveName(resolver: string, name: string): Promise<Resolved> {
  const answers = await Promise.all([addressesOf(resolver, name, 'A'), addressesOf(resolver, name, 'AAAA')]);
  const addresses: string[] = [];
  for (const answer of answers) {
    if (typeof answer === 'string') return answer;
    addresses.push(...answer);
  }
  return addresses;
}

async function addressesOf(resolver: string, name: string, type: keyof typeof TYPES): Promise<Resolved> {
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
    if (answer.status >= 500 || answer.status === TOO_MANY_REQUESTS) return 'away';
    if (!answer.ok || text.length > ANSWER_LENGTH_MAX) return 'failed';
    return readAnswer(JSON.parse(text), TYPES[type]) ?? 'failed';
  } catch {
    return 'away';
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
