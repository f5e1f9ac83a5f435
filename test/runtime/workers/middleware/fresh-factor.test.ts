import { expect, it } from 'vitest';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { profiles } from '../../fixtures/profiles.ts';

/** What a person changes without a fresh factor, by why. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'it ends, stops or takes back, and must not wait': [
    'DELETE /events-service/cameras/{id}/credentials/{user_id}',
    'DELETE /events-service/v1/webhooks/{id}',
    'DELETE /exchange/v1/account/deposits/{id}',
    'DELETE /exchange/v1/account/withdrawals/{id}',
    'DELETE /exchange/v1/orders/{id}',
    'DELETE /iam/v1/clients/{id}',
    'DELETE /iam/v1/consents/{id}',
    'DELETE /iam/v1/keys/{id}',
    'DELETE /iam/v1/sessions',
    'DELETE /iam/v1/sessions/{id}',
    'DELETE /partner/v1/investors/{id}/accounts/{account_id}/keys/{key_id}',
    'DELETE /partner/v1/orders/{id}',
    'DELETE /partner/v1/webhooks/{id}',
    'POST /events-service/tenant/departure/stop',
    'POST /exchange/v1/operator/accounts/{id}/freeze',
    'POST /exchange/v1/operator/applications/end',
    'POST /exchange/v1/operator/markets/{symbol}/halt',
    'POST /exchange/v1/operator/users/{id}/factor-recovery/stop',
    'POST /exchange/v1/operator/venue/halt',
    'POST /iam/v1/users/{id}/kill-switch',
  ],
  'it can be undone for days, or concerns one event while it runs': [
    'DELETE /events-service/attendees/{event_id}/{attendee_id}',
    'DELETE /events-service/attendees/{event_id}/{attendee_id}/faces',
    'DELETE /events-service/events/{id}',
    'DELETE /events-service/tenant',
    'DELETE /events-service/v1/collections/{name}',
    'DELETE /events-service/v1/faces/{id}',
    'POST /events-service/attendees/{event_id}/{attendee_id}/keep',
    'POST /events-service/attendees/{event_id}/{attendee_id}/merge',
    'POST /events-service/cameras',
    'POST /events-service/cameras/{id}/frames',
    'POST /events-service/cameras/{id}/frames/batch',
    'POST /events-service/events',
    'POST /events-service/events/{id}/invites',
    'POST /events-service/events/{id}/restore',
    'POST /events-service/register-attendee/{event_id}',
    'POST /events-service/reviews/{id}/confirm',
    'POST /events-service/reviews/{id}/reject',
    'POST /events-service/rooms',
    'POST /events-service/timeline',
    'POST /events-service/timeline/{entry_id}/restore',
    'POST /events-service/timeline/{entry_id}/void',
    'POST /events-service/v1/collections/{name}/reembed',
    'POST /events-service/v1/deleted-collections/{id}/restore',
    'POST /events-service/v1/faces',
    'PUT /events-service/cameras/{id}/match-rule',
    'PUT /events-service/events/{id}/invites',
    'PUT /events-service/events/{id}/match-rule',
  ],
  'it changes nothing: it looks, or gives a token for the one that was shown': [
    'POST /events-service/v1/enhance',
    'POST /events-service/v1/search',
    'POST /events-service/v1/weapons',
    'POST /exchange/v1/auth/tenant-token',
    'POST /exchange/v1/operator/users/search',
    'POST /exchange/v1/orders/preview',
  ],
  'trade goes on all day, and stays at the venue': [
    'POST /exchange/v1/orders',
    'PUT /exchange/v1/orders/{id}',
    'POST /partner/v1/orders',
  ],
  'it pays in, states or asks for something that others decide on': [
    'POST /exchange/v1/account/accreditation/attestations',
    'POST /exchange/v1/account/accreditation/verifications',
    'POST /exchange/v1/account/deposits',
    'POST /iam/v1/entity',
    'POST /iam/v1/entity/documents',
    'POST /iam/v1/identity',
    'POST /iam/v1/identity/documents',
    'POST /partner/v1/investors',
    'POST /partner/v1/investors/{id}/accounts',
    'POST /partner/v1/investors/{id}/compliance/{kind}/rescreen',
    'PUT /iam/v1/mail-preferences',
  ],
  'it sends again what an endpoint was to be told, to the address that it has': [
    'POST /events-service/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
    'POST /events-service/v1/webhooks/{id}/deliveries/{delivery_id}/skip',
    'POST /events-service/v1/webhooks/{id}/replay',
    'POST /events-service/v1/webhooks/{id}/test',
    'POST /partner/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
    'POST /partner/v1/webhooks/{id}/deliveries/{delivery_id}/skip',
    'POST /partner/v1/webhooks/{id}/replay',
    'POST /partner/v1/webhooks/{id}/test',
  ],
};

it('every route by which a person changes something asks for a fresh factor, but for those that have a reason', () => {
  const without = Object.values(profiles).flatMap(({ name, routes }) =>
    routes
      .filter(({ method, access: { credential }, freshFactor }) => {
        const isOfPerson = credential === 'bearer' || credential === 'tenant' || credential === 'partner';
        return isOfPerson && method.toUpperCase() !== 'GET' && freshFactor !== true;
      })
      .map(({ method, path }) => `${method.toUpperCase()} /${PROFILE_SEGMENTS[name]}${path}`),
  );
  const stated = new Set(Object.values(WITHOUT).flat());
  expect(without.filter((route) => !stated.has(route))).toEqual([]);
  expect([...stated].filter((route) => !without.includes(route))).toEqual([]);
});
