import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { destinationOf, isPublicAddress, ownNamesOf } from './destination.ts';

const deployed = (url: string) => destinationOf(url, { isLocal: false, ownNames: [] });
const local = (url: string) => destinationOf(url, { isLocal: true, ownNames: [] });

describe('where webhooks may go', () => {
  test.each([
    ['https://hooks.northwind.com/exchange?tenant=1', 'hooks.northwind.com'],
    ['https://hooks.northwind.com:443/', 'hooks.northwind.com'],
    ['https://hooks.northwind.com:8443/', 'hooks.northwind.com'],
    ['https://HOOKS.Northwind.com./x', 'hooks.northwind.com'],
    ['https://bücher.de/', 'xn--bcher-kva.de'],
  ])('a public name over https: %s', (url, name) => {
    expect(deployed(url)).toMatchObject({ ok: true, value: { name } });
  });

  test.each([
    ['not_a_url', 'hooks.northwind.com'],
    ['not_a_url', 'https://'],
    ['too_long', `https://northwind.com/${'x'.repeat(2_048)}`],
    ['not_https', 'http://hooks.northwind.com/'],
    ['not_https', 'ftp://hooks.northwind.com/'],
    ['not_https', 'http://localhost:4000/'],
    ['has_credentials', 'https://user@hooks.northwind.com/'],
    ['has_credentials', 'https://user:secret@hooks.northwind.com/'],
    ['has_credentials', 'https://:secret@hooks.northwind.com/'],
    ['has_fragment', 'https://hooks.northwind.com/#x'],
    ['port_not_allowed', 'https://hooks.northwind.com:22/'],
    ['port_not_allowed', 'https://hooks.northwind.com:8080/'],
    ['not_a_public_name', 'https://localhost/'],
    ['not_a_public_name', 'https://receiver.localhost/'],
    ['not_a_public_name', 'https://intranet/'],
    ['not_a_public_name', 'https://db.internal/'],
    ['not_a_public_name', 'https://metadata.google.internal/'],
    ['not_a_public_name', 'https://printer.local/'],
    ['not_a_public_name', 'https://nas.home.arpa/'],
    ['not_a_public_name', 'https://router.lan/'],
    ['not_a_public_name', 'https://host.localdomain/'],
    ['not_a_public_name', 'https://wiki.intranet/'],
    ['not_a_public_name', 'https://hidden.onion/'],
    ['not_a_public_name', 'https://hooks.test/'],
    ['not_a_public_name', 'https://hooks.example/'],
    ['not_a_public_name', 'https://hooks.invalid/'],
    ['not_a_public_name', 'https://a..b/'],
    ['not_a_public_name', `https://${'a.'.repeat(126)}de/`],
  ])('%s: %s', (error, url) => {
    expect(deployed(url)).toEqual({ ok: false, error });
  });

  test('an address as long as it may be, and not one character more', () => {
    const url = 'https://northwind.com/'.padEnd(2_048, 'x');
    expect([deployed(url).ok, deployed(`${url}x`).ok]).toEqual([true, false]);
  });

  // Spellings that the URL parser reads as an address of IPv4.
  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[2606:4700:4700::1111]/',
  ])('no address in place of a name: %s', (url) => {
    expect(deployed(url)).toEqual({ ok: false, error: 'address_literal' });
  });

  test.each(['http://localhost:4000/hook', 'http://127.0.0.1:4000/hook', 'http://[::1]:4000/', 'https://localhost/'])(
    'beside a local system, over plain HTTP: %s',
    (url) => {
      expect(local(url)).toMatchObject({ ok: true, value: { name: null } });
      expect(deployed(url).ok).toBe(false);
    },
  );

  test.each(['http://10.0.0.1/', 'http://hooks.northwind.com/', 'https://169.254.169.254/', 'http://user@localhost/'])(
    'nor elsewhere from a local system: %s',
    (url) => {
      expect(local(url).ok).toBe(false);
    },
  );
});

describe('addresses of names', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '198.17.255.255',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ])('public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.1.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:10.0.0.1',
    '::8.8.8.8',
    '64:ff9b::808:808',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:a00:1::1',
    '2620:4f:8000::1',
    '3fff::1',
    'hooks.northwind.com',
    '',
  ])('not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('no spelling of a private address gets by, be it of IPv4 or wrapped into IPv6', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const privateAddress = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    );
    fc.assert(
      fc.property(privateAddress, (parts) => {
        const text = parts.join('.');
        const number = parts.reduce((sum, part) => sum * 256 + part, 0);
        const hexadecimal = number.toString(16).padStart(8, '0');
        expect(isPublicAddress(text)).toBe(false);
        expect(isPublicAddress(`::ffff:${text}`)).toBe(false);
        expect(isPublicAddress(`2002:${hexadecimal.slice(0, 4)}:${hexadecimal.slice(4)}::1`)).toBe(false);
        for (const host of [text, String(number), `0x${hexadecimal}`, `[::ffff:${text}]`])
          expect(deployed(`https://${host}/`).ok).toBe(false);
      }),
    );
  });
});

describe("M-10: the venue's own hosts receive no webhooks", () => {
  const ownNames = ownNamesOf({
    OWN_ZONES: 'Venue.com., *.bücher.de',
    PROFILE_HOSTS: '{"api.other-zone.com":"exchange"}',
  });
  const judged = (url: string) => destinationOf(url, { isLocal: false, ownNames });

  test.each([
    'https://venue.com/',
    'https://api.venue.com/v1/webhooks/prime',
    'https://fix-origin.venue.com:8443/x',
    'https://API.VENUE.COM/',
    'https://api.venue.com./',
    'https://a%70i.v%65nue.com/',
    'https://\uff41pi.venue\u3002com/',
    'https:api.venue.com/',
    'https:\\\\api.venue.com\\x',
    'https://api.ven\tue.com/',
    'https://a.b.c.venue.com/',
    'https://xn--bcher-kva.de/',
    'https://hooks.b\u00fccher.de/',
    'https://api.other-zone.com/',
    'https://origin.api.other-zone.com/',
  ])('%s', (url) => {
    expect(judged(url)).toEqual({ ok: false, error: 'of_the_venue' });
  });

  test.each(['https://avenue.com/', 'https://venue.com.northwind.com/', 'https://hooks.other-zone.com/'])(
    'and %s is not one',
    (url) => {
      expect(judged(url)).toMatchObject({ ok: true });
    },
  );

  test('a zone that is no name is an error and not a gap', () => {
    for (const OWN_ZONES of ['venue.com/x', 'venue com', 'venue.com:8443'])
      expect(() => ownNamesOf({ OWN_ZONES, PROFILE_HOSTS: '{}' })).toThrow('OWN_ZONES');
  });
});
