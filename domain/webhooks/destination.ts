import { isAddressAllowed, parseAddress } from '../limits/address.ts';
import { err, ok, type Result } from '../result.ts';

const URL_LENGTH_MAX = 2_048;
/** Of https, and its usual second. Others are doors of services that are no receivers of webhooks. */
const PORTS = ['', '8443'];
/** RFC 6761, RFC 6762, RFC 8375 and RFC 7686: names that never lead to the public internet. */
const LOCAL_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home.arpa', 'onion'];
const TEST_SUFFIXES = ['test', 'example', 'invalid'];
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Where a receiver of a local system listens. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** What is not globally reachable: IANA's special-purpose registries (RFC 6890), multicast, and what carries IPv4 inside IPv6. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Of IPv6 only 2000::/3 is given out, less these. */
const GLOBAL_UNICAST = ['2000::/3'];
const NOT_PUBLIC_IN_GLOBAL = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** Where webhooks may go. */
export interface Destination {
  /** As it is called: the text of the URL, normalised. */
  readonly url: string;
  /** The name whose addresses are to be examined; null for a receiver beside a local system. */
  readonly name: string | null;
}

export type DestinationError =
  | 'not_a_url'
  | 'too_long'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'port_not_allowed'
  | 'address_literal'
  | 'not_a_public_name'
  | 'of_the_venue';

export interface DestinationRules {
  /** Whether this is a local system: only there a receiver may stand beside it, over plain HTTP. */
  readonly isLocal: boolean;
  /** Names that are the venue's, with all below them (`ownNamesOf`). */
  readonly ownNames: readonly string[];
}

/**
 * Judges the address of a receiver by its text. Its name's addresses are judged by `isPublicAddress`, before each delivery again.
 * The venue's own hosts receive none: a request of a Worker to its own zone may pass by what stands in front of them.
 */
export function destinationOf(
  text: string,
  { isLocal, ownNames }: DestinationRules,
): Result<Destination, DestinationError> {
  if (text.length > URL_LENGTH_MAX) return err('too_long');
  const url = URL.parse(text);
  if (url === null) return err('not_a_url');
  if (url.username !== '' || url.password !== '') return err('has_credentials');
  if (url.hash !== '') return err('has_fragment');
  if (isLocal && ['http:', 'https:'].includes(url.protocol) && LOOPBACK_NAMES.includes(url.hostname))
    return ok({ url: url.href, name: null });
  if (url.protocol !== 'https:') return err('not_https');
  if (!PORTS.includes(url.port)) return err('port_not_allowed');
  const name = url.hostname.replace(/\.$/, '');
  // The parser has turned every spelling of an IPv4 address (octal, hexadecimal, one number) into four decimals.
  if (name.startsWith('[') || parseAddress(name) !== null) return err('address_literal');
  if (!isPublicName(name)) return err('not_a_public_name');
  return ownNames.some((own) => isWithin(name, own)) ? err('of_the_venue') : ok({ url: url.href, name });
}

/** What states names of the venue. */
export interface OwnNames {
  /** Its zones with commas in between, such as `example.com`: hosts of its gateways and nodes are below them. */
  readonly OWN_ZONES: string;
  /** A JSON object from hostname to profile. */
  readonly PROFILE_HOSTS: string;
}

/**
 * Names that are the venue's, as a URL's parser spells them.
 *
 * @throws Error where a zone is no name, since nothing would be held back then
 */
export function ownNamesOf({ OWN_ZONES, PROFILE_HOSTS }: OwnNames): string[] {
  const stated = OWN_ZONES.split(',').map((zone) => zone.trim().replace(/^\*?\.|\.$/g, ''));
  return [...stated, ...Object.keys(JSON.parse(PROFILE_HOSTS) as object)]
    .filter((name) => name !== '')
    .map((name) => {
      const url = URL.parse(`https://${name}`);
      if (url === null || url.pathname !== '/' || url.port !== '') throw new Error(`OWN_ZONES: ${name} is no name`);
      return url.hostname.replace(/\.$/, '');
    });
}

/** Whether an address that a name resolves to lies in the public internet. What cannot be read does not. */
export function isPublicAddress(text: string): boolean {
  const bytes = parseAddress(text);
  if (bytes === null) return false;
  if (bytes.length === 4) return !text.includes(':') && !isAddressAllowed(text, NOT_PUBLIC);
  return isAddressAllowed(text, GLOBAL_UNICAST) && !isAddressAllowed(text, NOT_PUBLIC_IN_GLOBAL);
}

function isPublicName(name: string): boolean {
  const labels = name.split('.');
  if (labels.length < 2 || name.length > 253 || !labels.every((label) => LABEL.test(label))) return false;
  return ![...LOCAL_SUFFIXES, ...TEST_SUFFIXES].some((suffix) => isWithin(name, suffix));
}

function isWithin(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
