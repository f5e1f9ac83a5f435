import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReturnPath } from './return-path.ts';

describe('where a browser is sent after signing in', () => {
  it.each(['/', '/orders', '/assets/01900000-0000-7000-8000-000000000000?market=ACME-USD', '/verify#receipt', '/a//b'])(
    'takes %s',
    (path) => expect(isReturnPath(path)).toBe(true),
  );

  it.each([
    '',
    'orders',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/%0a/evil\n',
    'https://evil.example/',
    'javascript:alert(1)',
    '/./\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/ümlaut',
    ' /orders',
    `/${'a'.repeat(512)}`,
  ])('refuses %j', (path) => expect(isReturnPath(path)).toBe(false));

  it('never leads a browser to another origin', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '\\', '.', 'a', ':', '@', '\t', '?', '#', '%') }), (text) => {
        if (!isReturnPath(text)) return;
        const first = new URL(text, 'https://ours.example/console/v1/session/callback');
        expect(first.origin).toBe('https://ours.example');
        // As the path that it is then read as.
        expect(new URL(first.pathname, 'https://ours.example').origin).toBe('https://ours.example');
      }),
    );
  });
});
