/** Headers that the owner of an endpoint wants in each message. */
export const OWN_HEADERS_MAX = 10;
export const OWN_HEADER_LENGTH_MAX = 1_024;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/;
/** RFC 9110, section 5.5, without what is beyond ASCII: visible characters, and blanks between them. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** What the message is, how it is framed, who is called, and where it has been, is for us and the platform to say. */
const RESERVED = [
  /^webhook-/,
  /^content-/,
  /^(?:proxy|sec|cf|x-forwarded|access-control)-/,
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|date|via|forwarded|user-agent|cookie|cookie2|origin|referer|accept-encoding|x-real-ip|true-client-ip)$/,
];

export type HeaderFault = 'not_a_name' | 'reserved' | 'not_a_value';

/** Why a header cannot be the owner's, its name in small letters; null where it can. */
export function ownHeaderFault(name: string, value: string): HeaderFault | null {
  if (!TOKEN.test(name)) return 'not_a_name';
  if (RESERVED.some((reserved) => reserved.test(name))) return 'reserved';
  return value.length <= OWN_HEADER_LENGTH_MAX && FIELD_VALUE.test(value) ? null : 'not_a_value';
}

/** Whether another address leads to another host or port: what a header proves at the one is nothing that the other is to read. */
export function isOtherPlace(before: string, after: string): boolean {
  return URL.parse(before)?.origin !== URL.parse(after)?.origin;
}
