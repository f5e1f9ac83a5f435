import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { attendees } from '../../../../data/events/schema.ts';
import { codeOf } from '../../fixtures/call.ts';
import type { SignedIn } from '../../fixtures/sign-in.ts';
import { ask, bodyOf, createAttendee, createVenue, signedIn, startEventsService, type Venue } from './fixtures.ts';

const TENANT = 'org-attendees';

let admin: SignedIn;
let venue: Venue;
let ada: string;

beforeAll(async () => {
  await startEventsService();
  admin = await signedIn(TENANT, 'event_admin');
  venue = await createVenue(admin, TENANT);
  ada = await createAttendee(venue, TENANT, 'Ada');
});

describe('attendees', () => {
  it('are listed and read with their consent, and without embeddings', async () => {
    const attendee = { id: ada, event_id: venue.eventId, name: 'Ada', email: `${ada}@example.com` };
    const { attendees: listed } = await bodyOf<{ attendees: object[] }>(ask(admin, `GET /attendees/${venue.eventId}`));
    expect(listed).toMatchObject([{ ...attendee, consent: { taken_by: 'desk' } }]);
    expect(await bodyOf(ask(admin, `GET /attendees/${venue.eventId}/${ada}`))).toEqual(listed[0]);
    expect(JSON.stringify(listed)).not.toContain('embedding');
  });

  it('have neither name nor email in the database in the clear', async () => {
    const rows = await eventsDatabase(env.EVENTS_DB).select().from(attendees);
    const stored = JSON.stringify(rows.map((row) => ({ ...row, sealedProfile: row.sealedProfile.toString('latin1') })));
    expect(rows.length).toBeGreaterThan(0);
    expect(stored).not.toContain('Ada');
    expect(stored).not.toContain('example.com');
  });

  it('of another event are not found', async () => {
    const other = await createVenue(admin, TENANT);
    expect((await ask(admin, `GET /attendees/${other.eventId}/${ada}`)).status).toBe(404);
  });
});

describe('invites', () => {
  it('begin pending, are set to the given status, and are listed', async () => {
    const attendeeId = await createAttendee(venue, TENANT, 'Grace');
    const path = `/events/${venue.eventId}/invites`;
    const invite = await bodyOf<{ id: string }>(ask(admin, `POST ${path}`, { attendee_id: attendeeId }), 201);
    expect(invite).toMatchObject({ attendee_id: attendeeId, event_id: venue.eventId, status: 'pending' });
    for (const status of ['accepted', 'declined', 'revoked', 'pending', 'accepted']) {
      const updated = await bodyOf(ask(admin, `PUT ${path}`, { invite_id: invite.id, status }));
      expect(updated).toMatchObject({ id: invite.id, status });
    }
    const { invites } = await bodyOf<{ invites: object[] }>(ask(admin, `GET ${path}`));
    expect(invites).toMatchObject([{ id: invite.id, status: 'accepted' }]);
  });

  it('are one to an attendee', async () => {
    const attendeeId = await createAttendee(venue, TENANT, 'Edith');
    const path = `POST /events/${venue.eventId}/invites`;
    const answers = await Promise.all([1, 2].map(() => ask(admin, path, { attendee_id: attendeeId })));
    expect(answers.map((answer) => codeOf(answer) ?? answer.status).sort()).toEqual([201, 'CONFLICT']);
  });

  it('of nobody, with another status, or unknown are refused', async () => {
    const path = `/events/${venue.eventId}/invites`;
    const asked: [string, object, string][] = [
      [`POST ${path}`, { attendee_id: uuidv7() }, 'NOT_FOUND'],
      [`POST ${path}`, { attendee_id: ada, status: 'maybe' }, 'VALIDATION_ERROR'],
      [`PUT ${path}`, { invite_id: uuidv7(), status: 'accepted' }, 'NOT_FOUND'],
      [`PUT ${path}`, { invite_id: uuidv7() }, 'VALIDATION_ERROR'],
    ];
    for (const [target, json, code] of asked) expect(codeOf(await ask(admin, target, json)), target).toBe(code);
  });
});
