import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathsAsSigned } from './signed-paths.ts';

/** As a runtime hands over what a client has sent. */
function handedOver(sent: string): string {
  const { pathname, search } = new URL(`http://exchange.example${sent}`);
  return pathname + search;
}

describe('X-05: the path under a signature', () => {
  it.each([
    '/book/v1/orders?',
    "/book/v1/orders?client_order_id='a'",
    "/book/v1/orders?client_order_id=it's%20mine",
    '/book/v1/orders?client_order_id=%27a%27',
    '/book/v1/orders?client_order_id="<a>"',
    '/book/v1/orders?client_order_id=a b',
    '/book/v1/orders?symbol=Ü',
    '/book/v1/orders?symbol=%C3%9C',
    '/book/v1/orders?symbol=%c3%9c',
    '/book/v1/orders?symbol=%FF',
    '/book/v1/orders/client/a^b',
    '/book/v1/orders/client/a%5Eb',
    '/book/v1/orders/client/{a}`b`"c"<d>',
    '/book/v1/orders/client/a|b?x=`{}|^',
    '/book/v1/orders/client/a~b',
    '/book/v1/orders/client/a%7Eb',
    '/book/v1/orders?limit=5&',
    '/book/v1/orders?client_order_id=a%2cb',
    '/book/v1/orders?client_order_id=a+b',
  ])('is known as it was sent: %s', (sent) => {
    expect(pathsAsSigned(handedOver(sent))).toContain(sent);
  });

  it('is one form where nothing is rewritten and a query stands, and eight at most', () => {
    expect(pathsAsSigned('/book/v1/orders?limit=5')).toEqual(['/book/v1/orders?limit=5']);
    expect(pathsAsSigned('/a%5E^%27')).not.toContain("/a%5E^'");
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        const { pathname, search } = new URL(url);
        expect(pathsAsSigned(pathname + search).length).toBeLessThanOrEqual(8);
      }),
    );
  });

  it('is rewritten to the path of the request in each of its forms, so that it signs no other one', () => {
    const piece = fc.constantFrom(
      'a',
      '/',
      '%27',
      "'",
      '%20',
      '%3C',
      '%5E',
      '%7B',
      '%C3%9C',
      '%FF',
      '%2F',
      '%3F',
      '%23',
      '%2e',
      '%0A',
      '&',
      '=',
      '?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = handedOver(`/book/${pieces.join('')}`);
        for (const form of pathsAsSigned(path)) {
          expect(handedOver(form)).toBe(path);
          expect(form).not.toContain('\n');
        }
      }),
    );
  });
});
