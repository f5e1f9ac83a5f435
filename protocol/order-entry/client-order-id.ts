/**
 * What a client may call its order, at every door: visible ASCII, so that no protocol takes a part of it for a delimiter. `.` and `..` are none: they are no
 * segment of a path (RFC 3986, 5.2.4), and the order could not be read or cancelled by them.
 */
export const CLIENT_ORDER_ID = /^(?!\.{1,2}$)[\x21-\x7e]{1,64}$/;

/** What a client is told whose id is none. */
export const CLIENT_ORDER_ID_WORDS =
  'must be 1 to 64 visible ASCII characters without spaces, and neither `.` nor `..`';
