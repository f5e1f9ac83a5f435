import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { call } from '../../../fixtures/call.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn, tokensOf } from '../../../fixtures/exchange-client.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { skipTime } from '../../../fixtures/skip-time.ts';

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

/** Roles are read again after 10 s. */
const later = () => skipTime(10_001);

interface Roles {
  readonly data: { readonly role: string; readonly permissions: readonly string[] }[];
}

const permissionsOf = ({ data }: Roles, role: string) => data.find((each) => each.role === role)?.permissions;

const set = (role: string, permissions: readonly string[], as = operator) =>
  as.put<Roles>(`/v1/operator/event-roles/${role}`, { permissions, reason: 'the door staff register now' });

test('a role of the events service grants what an operator says, and nothing that was taken from it', async () => {
  const { authorization = '' } = await tokensOf(await createTrader(db, { roles: ['event_viewer'] }));
  const mayRead = async () => (await call('GET /events-service/roles', { headers: { authorization } })).status;
  expect(await mayRead()).toBe(200);
  const changed = await set('event_viewer', ['events:read', 'timeline:read']);
  expect(changed.status).toBe(200);
  expect(permissionsOf(changed.body, 'event_viewer')).toEqual(['events:read', 'timeline:read']);
  expect(await mayRead()).toBe(200);
  later();
  expect(await mayRead()).toBe(403);
  await set('event_viewer', ['events:read', 'roles:read']);
  later();
  expect(await mayRead()).toBe(200);
  expect((await operator.get('/v1/operator/audit-trail?subject=event_viewer')).body).toMatchObject({
    data: [
      {
        before: { permissions: ['events:read', 'timeline:read'] },
        after: { permissions: ['events:read', 'roles:read'] },
      },
      { type: 'operator.event_role_changed', details: { reason: 'the door staff register now' } },
    ],
  });
});

test('a role that grants nothing is still there', async () => {
  await set('event_camera', []);
  const { body } = await operator.get<Roles>('/v1/operator/event-roles');
  expect(permissionsOf(body, 'event_camera')).toEqual([]);
  expect((await set('event_camera', ['frames:write'])).status).toBe(200);
});

test('refuses an unknown role, an unknown permission, and whoever runs no venue', async () => {
  expect((await set('trader', [])).status).toBe(400);
  expect((await set('event_viewer', ['money:print'])).status).toBe(400);
  const theirs = await signedIn(await createTrader(db, { roles: ['operator', 'event_admin'] }));
  expect((await set('event_viewer', [], theirs)).status).toBe(403);
});
