import { expect, it } from 'vitest';
import { parseScope } from './oidc-scope.ts';

it.each(['openid profile email phone', 'openid+profile+email+phone', ' openid  profile+email phone '])(
  'a scope field joined by spaces or plus signs is read: "%s"',
  (field) => {
    expect(parseScope(field)).toEqual(['openid', 'profile', 'email', 'phone']);
  },
);

it('an unknown scope is refused', () => {
  expect(parseScope('openid admin')).toBeNull();
});
