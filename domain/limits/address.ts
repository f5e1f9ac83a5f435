/** An address as its bits: 4 bytes of IPv4 or 16 of IPv6; an IPv4-mapped IPv6 address is IPv4. Null when it is neither. */
export function parseAddress(text: string): Uint8Array | null {
  if (!text.includes(':')) return parseIpv4(text);
  const bytes = parseIpv6(text);
  if (bytes !== null && MAPPED_PREFIX.every((byte, i) => bytes[i] === byte)) return bytes.slice(12);
  return bytes;
}

const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** Whether `address` lies in one of the blocks, each an address or CIDR block. What cannot be read matches nothing. */
export function isAddressAllowed(address: string, blocks: readonly string[]): boolean {
  const bytes = parseAddress(address);
  return bytes !== null && blocks.some((block) => blockContains(block, bytes));
}

/** Whether `block` is an address or a CIDR block with a fitting prefix length. */
export function isAddressBlock(block: string): boolean {
  return parseBlock(block) !== null;
}

/** Whom the limits of an address count, and how many times the limit of a single caller it has. */
export interface RateSubject {
  readonly name: string;
  readonly times: number;
}

/**
 * Prefixes of IPv6 that one subscriber may command, the narrowest first. A line at home has a /64 at the least, often a /56, and a site up to
 * a /48 (RFC 6177). Others may share the wider ones, as those of a mobile network do, so these have more.
 */
const PREFIXES = [
  { bits: 64, times: 1 },
  { bits: 56, times: 5 },
  { bits: 48, times: 50 },
] as const;

/**
 * Whom the limits of an address count, the narrowest first: an IPv4 address, or each prefix of an IPv6 address that one subscriber may
 * command. What cannot be read counts as it stands.
 */
export function rateSubjectsOf(address: string): readonly [RateSubject, ...RateSubject[]] {
  const bytes = parseAddress(address);
  if (bytes === null) return [{ name: address.slice(0, 64), times: 1 }];
  if (bytes.length === 4) return [{ name: bytes.join('.'), times: 1 }];
  const hex = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const [narrowest, ...wider] = PREFIXES.map(({ bits, times }) => ({
    name: `${hex.slice(0, bits / 4)}/${bits}`,
    times,
  }));
  return [narrowest as RateSubject, ...wider];
}

/** The narrowest of them: the caller's own line, as far as an address can tell. */
export function rateSubjectOf(address: string): string {
  return rateSubjectsOf(address)[0].name;
}

/** The widest of them, which all that count together share. */
export function widestSubjectOf(address: string): string {
  return rateSubjectsOf(address).at(-1)!.name;
}

function blockContains(block: string, address: Uint8Array): boolean {
  const parsed = parseBlock(block);
  if (parsed === null || parsed.bytes.length !== address.length) return false;
  for (let bit = 0; bit < parsed.prefix; bit += 8) {
    const mask = parsed.prefix - bit >= 8 ? 0xff : (0xff << (8 - (parsed.prefix - bit))) & 0xff;
    if ((parsed.bytes[bit >> 3]! & mask) !== (address[bit >> 3]! & mask)) return false;
  }
  return true;
}

function parseBlock(block: string): { bytes: Uint8Array; prefix: number } | null {
  const [text, length, ...rest] = block.split('/');
  const bytes = parseAddress(text ?? '');
  if (bytes === null || rest.length > 0) return null;
  if (length === undefined) return { bytes, prefix: bytes.length * 8 };
  if (!/^\d{1,3}$/.test(length) || Number(length) > bytes.length * 8) return null;
  return { bytes, prefix: Number(length) };
}

function parseIpv4(text: string): Uint8Array | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return null;
  return Uint8Array.from(parts, Number);
}

function parseIpv6(text: string): Uint8Array | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = [groupsOf(halves[0]!), groupsOf(halves[1] ?? '')];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...new Array<number>(missing).fill(0), ...tail];
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** 16-bit groups of one side of an IPv6 address; its last may be an IPv4 address (RFC 4291, 2.2). */
function groupsOf(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const ipv4 = i === parts.length - 1 && part.includes('.') ? parseIpv4(part) : null;
    if (ipv4 !== null) groups.push((ipv4[0]! << 8) | ipv4[1]!, (ipv4[2]! << 8) | ipv4[3]!);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return null;
  }
  return groups;
}
