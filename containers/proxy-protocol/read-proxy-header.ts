import { parseAddress } from '../../domain/limits/address.ts';

/** What the bytes that a connection has begun with are, by the PROXY protocol of HAProxy, versions 1 and 2. */
export type ProxyHeader =
  /** So far they may be a header. */
  | { readonly type: 'incomplete' }
  | { readonly type: 'invalid'; readonly reason: string }
  | {
      readonly type: 'header';
      /** Bytes that it takes up; what follows is the client's. */
      readonly length: number;
      /** Address of the client; null when the header names none: the connection then stands for itself (LOCAL, UNKNOWN). */
      readonly client: string | null;
    };

const SIGNATURE_V1 = Buffer.from('PROXY ', 'latin1');
const SIGNATURE_V2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** Section 2.1: the longest line of version 1, with its end. */
const V1_LENGTH_MAX = 107;
const V2_FIXED_LENGTH = 16;
/** Of what follows the fixed part of version 2; addresses take 36 bytes, the rest are extensions, which are skipped. */
const V2_VARIABLE_LENGTH_MAX = 4_096;

const INCOMPLETE = { type: 'incomplete' } as const;

/** Reads the header that `bytes` begin with. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (beginsLike(bytes, SIGNATURE_V1)) return readV1(bytes);
  if (beginsLike(bytes, SIGNATURE_V2)) return readV2(bytes);
  return invalid('no PROXY header');
}

function beginsLike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length);
  return bytes.subarray(0, length).equals(signature.subarray(0, length));
}

function readV1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_LENGTH_MAX).indexOf('\r\n');
  if (end === -1) return bytes.length < V1_LENGTH_MAX ? INCOMPLETE : invalid('the line is too long');
  const length = end + 2;
  const [, family, ...rest] = bytes.toString('latin1', 0, end).split(' ');
  if (family === 'UNKNOWN') return { type: 'header', length, client: null };
  const [source = '', destination = '', ...ports] = rest;
  if (family !== 'TCP4' && family !== 'TCP6') return invalid('unknown protocol');
  const areAddresses = [source, destination].every((address) => isOfFamily(address, family));
  if (!areAddresses || ports.length !== 2 || !ports.every(isPort)) return invalid('malformed line');
  return { type: 'header', length, client: source };
}

/** `::ffff:192.0.2.1` is written as an IPv6 address. */
function isOfFamily(address: string, family: 'TCP4' | 'TCP6'): boolean {
  return parseAddress(address) !== null && address.includes(':') === (family === 'TCP6');
}

function isPort(text: string): boolean {
  return /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535;
}

function readV2(bytes: Buffer): ProxyHeader {
  if (bytes.length < V2_FIXED_LENGTH) return INCOMPLETE;
  const [version, command] = halves(bytes.readUInt8(12));
  const variableLength = bytes.readUInt16BE(14);
  if (version !== 2 || (command !== COMMAND.local && command !== COMMAND.proxy)) return invalid('unknown command');
  if (variableLength > V2_VARIABLE_LENGTH_MAX) return invalid('the header is too long');
  const length = V2_FIXED_LENGTH + variableLength;
  if (bytes.length < length) return INCOMPLETE;
  if (command === COMMAND.local) return { type: 'header', length, client: null };
  return addressV2(bytes.readUInt8(13), bytes.subarray(V2_FIXED_LENGTH, length), length);
}

const COMMAND = { local: 0, proxy: 1 } as const;

/** Address families and transports of version 2 that a TCP listener can be told; UNIX sockets have no address to speak of. */
const UNSPECIFIED = 0x00;
const TCP_OVER_IPV4 = 0x11;
const TCP_OVER_IPV6 = 0x21;
const UNIX_STREAM = 0x31;

function addressV2(familyAndTransport: number, addresses: Buffer, length: number): ProxyHeader {
  switch (familyAndTransport) {
    case UNSPECIFIED:
    case UNIX_STREAM:
      return { type: 'header', length, client: null };
    case TCP_OVER_IPV4:
      if (addresses.length < 12) return invalid('the addresses are cut off');
      return { type: 'header', length, client: addresses.subarray(0, 4).join('.') };
    case TCP_OVER_IPV6:
      if (addresses.length < 36) return invalid('the addresses are cut off');
      return { type: 'header', length, client: textOfIpv6(addresses.subarray(0, 16)) };
    default:
      return invalid('unknown address family or transport');
  }
}

function textOfIpv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16));
  return groups.join(':');
}

function halves(byte: number): [high: number, low: number] {
  return [byte >> 4, byte & 0x0f];
}

function invalid(reason: string): ProxyHeader {
  return { type: 'invalid', reason };
}
