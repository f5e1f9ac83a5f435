import { expect, test } from 'vitest';
import { eventsTenantOwner } from './webhook-owner.ts';

test('a tenant of events owns nothing of the partner that has its name, and each tenant its own', () => {
  const partner = '0199a3c8-8ead-72e9-9fdc-91ecaa1f8a0a';
  expect(eventsTenantOwner(partner)).toEqual({ organization: `events:${partner}`, role: 'events_tenant' });
  expect(eventsTenantOwner('a/b').organization).not.toBe(eventsTenantOwner('a').organization);
});
