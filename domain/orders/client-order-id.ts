/**
 * What a client may call an order at every door: what each protocol writes as it is, FIX and paths included. A path segment of dots alone is
 * taken out of an address before it is sent (RFC 3986, section 5.2.4).
 */
export const CLIENT_ORDER_ID = /^(?!\.{1,2}$)[\x21-\x7e]{1,64}$/;
