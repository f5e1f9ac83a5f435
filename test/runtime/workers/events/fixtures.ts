import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { sealProfile } from '../../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { openScopeKeys } from '../../../../data/events/keys/r2-scope-keys.ts';
import type { ScopeKey } from '../../../../data/events/keys/scope-key.ts';
import { attendees } from '../../../../data/events/schema.ts';
import { eventScope } from '../../../../data/events/sites/events.ts';
import type { SightingCamera } from '../../../../data/events/timeline/timeline.ts';
import type { CameraType } from '../../../../domain/events/camera-type.ts';
import type { EventRole } from '../../../../domain/events/permissions.ts';
import { type Answer, call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

/** Makes somebody of `owner` with the roles, signed in. */
export async function signedIn(owner: string, ...roles: readonly (EventRole | 'trader')[]): Promise<SignedIn> {
  const { phone } = await createTrader(await migrate(), { owner, roles });
  return signIn(phone);
}

export async function startEventsService(): Promise<void> {
  await migrate();
  await createApp();
}

/** Calls the events service as somebody. @param target `METHOD path` */
export function ask(
  as: Pick<SignedIn, 'bearer'>,
  target: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(target.replace(' ', ' /events-service'), {
    headers: { ...as.bearer, ...headers },
    ...(json === undefined ? {} : { json }),
  });
}

/** The body of an answer that must have the status. */
export async function bodyOf<Body = Record<string, never>>(answer: Promise<Answer>, status = 200): Promise<Body> {
  const { status: actual, body } = await answer;
  if (actual !== status) throw new Error(`${actual} in place of ${status}: ${JSON.stringify(body)}`);
  return body as Body;
}

export interface Venue {
  readonly eventId: string;
  readonly roomId: string;
  readonly key: ScopeKey;
  readonly cameras: Readonly<Record<CameraType, SightingCamera>>;
}

/** An event with one room and a camera of each type, made over HTTP. */
export async function createVenue(
  as: Pick<SignedIn, 'bearer'>,
  tenant: string,
  { capacity = null, date = '2026-06-01', endDate }: { capacity?: number | null; date?: string; endDate?: string } = {},
): Promise<Venue> {
  const { id: eventId } = await bodyOf<{ id: string }>(
    ask(as, 'POST /events', { name: 'Fair', date, end_date: endDate }),
    201,
  );
  const room = { event_id: eventId, name: 'Hall', capacity };
  const { id: roomId } = await bodyOf<{ id: string }>(ask(as, 'POST /rooms', room), 201);
  const cameraOf = async (type: CameraType): Promise<SightingCamera> => {
    const camera = { room_id: roomId, name: type, type, source: 'rtsp://10.0.0.7/door' };
    const { id } = await bodyOf<{ id: string }>(ask(as, 'POST /cameras', camera), 201);
    return { id, tenant, eventId, roomId, type };
  };
  const cameras = {
    entry: await cameraOf('entry'),
    exit: await cameraOf('exit'),
    'in-event': await cameraOf('in-event'),
  };
  const key = await keys().open(eventScope({ tenant, id: eventId }));
  if (key === null) throw new Error('fixture: an event without a key');
  return { eventId, roomId, key, cameras };
}

export function keys() {
  return openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
}

/** An attendee without photographs. */
export async function createAttendee({ eventId, key }: Venue, tenant: string, name: string): Promise<string> {
  const id = uuidv7();
  const email = `${id}@example.com`;
  await eventsDatabase(env.EVENTS_DB)
    .insert(attendees)
    .values({
      id,
      tenant,
      eventId,
      sealedProfile: await sealProfile(key, id, { name, email, consentText: 'I agree to be recognized at the doors.' }),
      emailTag: await key.tag('email', email),
      consentAt: Date.now(),
      consentBy: 'desk',
      consentText: '',
      createdAt: Date.now(),
    });
  return id;
}
