import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readProxyHeader } from './read-proxy-header.ts';

const SIGNATURE = '0d0a0d0a000d0a515549540a';

/** A header of version 2, in hexadecimal: command, family with transport, and what follows. */
const v2 = (command: string, family: string, rest: string) =>
  Buffer.from(`${SIGNATURE}${command}${family}${(rest.length / 2).toString(16).padStart(4, '0')}${rest}`, 'hex');

const IPV4 = 'c0000201' + 'cb007105' + 'd431' + '01bb';
const IPV6 = '20010db8000000000000000000000001' + '20010db8000000000000000000000002' + 'd431' + '01bb';
/** Type 0x20, three bytes long, then one that does nothing: a proxy may add such. */
const EXTENSIONS = '200003aabbcc' + '040000';

const HEADERS: readonly [string, Buffer, string | null][] = [
  ['TCP4', Buffer.from('PROXY TCP4 192.0.2.1 203.0.113.5 54321 443\r\n'), '192.0.2.1'],
  ['TCP6', Buffer.from('PROXY TCP6 2001:db8::1 2001:db8::2 54321 443\r\n'), '2001:db8::1'],
  ['UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['UNKNOWN with addresses', Buffer.from('PROXY UNKNOWN 2001:db8::1 2001:db8::2 54321 443\r\n'), null],
  ['version 2 over IPv4', v2('21', '11', IPV4), '192.0.2.1'],
  ['version 2 over IPv6', v2('21', '21', IPV6), '2001:db8:0:0:0:0:0:1'],
  ['version 2 with extensions', v2('21', '11', IPV4 + EXTENSIONS), '192.0.2.1'],
  ['LOCAL', v2('20', '00', ''), null],
  ['LOCAL with addresses', v2('20', '11', IPV4), null],
  ['an unspecified family', v2('21', '00', ''), null],
  ['a UNIX socket', v2('21', '31', '00'.repeat(216)), null],
];

describe('a PROXY header', () => {
  test.each(HEADERS)('by %s names its client, and ends where the client begins', (_, header, client) => {
    expect(readProxyHeader(header)).toEqual({ type: 'header', length: header.length, client });
    const withData = Buffer.concat([header, Buffer.from('8=FIX.4.4\r\n')]);
    expect(readProxyHeader(withData)).toEqual({ type: 'header', length: header.length, client });
  });

  test('is waited for until its last byte', () => {
    for (const [, header] of HEADERS)
      for (let length = 0; length < header.length; length += 1)
        expect(readProxyHeader(header.subarray(0, length))).toEqual({ type: 'incomplete' });
  });

  test.each([
    ['something else', Buffer.from('8=FIX.4.4')],
    ['another protocol of the same proxy', Buffer.from('PROXY UDP4 192.0.2.1 203.0.113.5 1 2\r\n')],
    ['an address of the other family', Buffer.from('PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n')],
    ['an address that is none', Buffer.from('PROXY TCP4 192.0.2.256 203.0.113.5 1 2\r\n')],
    ['a name', Buffer.from('PROXY TCP4 client.example 203.0.113.5 1 2\r\n')],
    ['a port too high', Buffer.from('PROXY TCP4 192.0.2.1 203.0.113.5 65536 2\r\n')],
    ['a port that is missing', Buffer.from('PROXY TCP4 192.0.2.1 203.0.113.5 1\r\n')],
    ['a line that does not end', Buffer.from(`PROXY TCP4 ${'1'.repeat(100)}`)],
    ['version 3', v2('31', '11', IPV4)],
    ['another command', v2('22', '11', IPV4)],
    ['datagrams', v2('21', '12', IPV4)],
    ['addresses that are cut off', v2('21', '21', IPV4)],
    ['more than 4,096 bytes', v2('21', '11', '00'.repeat(4_097))],
  ])('is refused when it is %s', (_, bytes) => {
    expect(readProxyHeader(bytes)).toMatchObject({ type: 'invalid' });
  });

  test('never takes more than was sent, whatever that is', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc
        .tuple(fc.constantFrom(Buffer.from('PROXY '), Buffer.from(SIGNATURE, 'hex')), fc.uint8Array())
        .map(Buffer.concat),
    );
    fc.assert(
      fc.property(bytes, (sent) => {
        const header = readProxyHeader(Buffer.from(sent));
        if (header.type === 'header') expect(header.length).toBeLessThanOrEqual(sent.length);
      }),
    );
  });
});
