import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEMO_CLIENTS } from '../application/seed/demo-credentials.ts';
import { type Box, type FaceQuality, qualityRejection } from '../domain/faces/face-quality.ts';
import { cropFace, VARIANTS } from './demo-events/crop.ts';
import { EventsClient, RefusedError } from './demo-events/events-client.ts';
import { runningSystem } from './local/own-system.ts';
import { PATHS } from './local/paths.ts';

/**
 * `npm run demo:events [-- <folder of photos>]`: an event of two rooms and four cameras. Everybody in the photos is registered from a
 * cut-out of their face and walks through the rooms: each camera sees the cut-out again, cropped, scaled, recompressed or mirrored.
 * Exit code 1 when a frame that passes the quality rules names somebody else.
 */
const MINUTE_MS = 60_000;
/** Everybody's walk through the rooms took place before now: cameras send no frames of the future. */
const WALK_MS = 60 * MINUTE_MS;
const LOBBY_CAPACITY = 5;
const MARGIN = 0.8;
/** Whoever is less alike than this to those registered is registered anew, rather than taken for one of them. */
const SURE_SIMILARITY = 0.8;

interface Face {
  readonly bbox: Box;
  readonly quality: FaceQuality;
  readonly embedding_stored: boolean;
  readonly rejection_reason?: string;
}

interface SeenFace extends Face {
  readonly match: { readonly attendee_id: string; readonly name: string; readonly similarity: number } | null;
}

interface TimelineEntry {
  readonly type: string;
  readonly room_id: string;
  readonly name: string;
  readonly similarity: number;
  readonly at: string;
}

interface RoomOccupancy {
  readonly room_id: string;
  readonly name: string;
  readonly capacity: number | null;
  readonly current: number;
  readonly peak: number;
  readonly peak_at: string | null;
  readonly entries: number;
  readonly exits: number;
}

interface Alert {
  readonly name: string;
  readonly capacity: number;
  readonly occupancy: number;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** Somebody who was registered, and the cut-outs that they were registered from. */
interface Person {
  readonly id: string;
  readonly name: string;
  readonly cutouts: Uint8Array[];
}

interface Outcome {
  readonly right: number;
  readonly wrong: number;
  readonly rejected: number;
}

async function play(origin: string, folder: string): Promise<Outcome> {
  const admin = await signIn(origin, 'demo-events');
  const doors = await signIn(origin, 'demo-cameras');
  const opened = Date.now() - WALK_MS;
  const venue = await openEvent(admin, opened);
  say(`event ${venue.event}: rooms Lobby (capacity ${LOBBY_CAPACITY}) and Hall, four cameras`);

  const people = await registerEverybody(admin, venue.event, folder);
  say(`${people.length} people are registered\n`);
  if (people.length === 0) throw new Error(`nobody in ${folder} can be registered`);

  const outcome = { right: 0, wrong: 0, rejected: 0 };
  const variants = Object.entries(VARIANTS);
  const walks = [
    { camera: venue.cameras.lobbyEntry, minute: 0 },
    { camera: venue.cameras.hallEntry, minute: 20 },
    { camera: venue.cameras.hallWatch, minute: 35 },
    { camera: venue.cameras.lobbyExit, minute: 50 },
  ];
  for (const [step, { camera, minute }] of walks.entries()) {
    for (const [index, person] of people.entries()) {
      // The last three stay in the lobby.
      if (camera === venue.cameras.lobbyExit && index >= people.length - 3) continue;
      const [variant, vary] = variants[(step + index) % variants.length] as (typeof variants)[number];
      const cutout = person.cutouts[step % person.cutouts.length] as Uint8Array;
      const answer = await doors.upload<{ faces: readonly SeenFace[] }>(`/cameras/${camera.id}/frames`, {
        image: await vary(cutout),
        captured_at: new Date(opened + minute * MINUTE_MS + index * 5_000).toISOString(),
      });
      judge(answer.faces, person, `${camera.name}, ${variant}`, outcome);
    }
  }
  await report(admin, venue.event);
  return outcome;
}

function judge(
  faces: readonly SeenFace[],
  person: Person,
  where: string,
  outcome: { right: number; wrong: number; rejected: number },
): void {
  const seen = faces.filter(({ quality }) => qualityRejection(quality) === null);
  if (seen.length === 0) {
    outcome.rejected++;
    const reasons = faces.map(({ rejection_reason }) => rejection_reason);
    say(`  not judged  ${person.name.padEnd(10)} ${where}: ${reasons.join('; ') || 'no face found'}`);
    return;
  }
  const right = seen.every(({ match }) => match?.attendee_id === person.id);
  if (right) outcome.right++;
  else outcome.wrong++;
  const names = seen.map(({ match }) => (match === null ? 'unknown' : `${match.name} ${match.similarity.toFixed(3)}`));
  say(`  ${right ? 'right     ' : 'WRONG     '}  ${person.name.padEnd(10)} ${where}: ${names.join(', ')}`);
}

async function openEvent(admin: EventsClient, opened: number) {
  const iso = (at: number) => new Date(at).toISOString();
  const event = await admin.post<{ id: string }>('/events', {
    name: 'Demo event',
    description: 'Everybody in the photos comes, most of them leave again',
    date: iso(opened - MINUTE_MS),
    end_date: iso(opened + 120 * MINUTE_MS),
  });
  const room = (name: string, capacity?: number) =>
    admin.post<{ id: string }>('/rooms', { event_id: event.id, name, ...(capacity === undefined ? {} : { capacity }) });
  const camera = async (room_id: string, name: string, type: string) => {
    const source = `rtsp://cameras.example.com/${name.replaceAll(' ', '-').toLowerCase()}`;
    return { name, ...(await admin.post<{ id: string }>('/cameras', { room_id, name, type, source })) };
  };
  const lobby = await room('Lobby', LOBBY_CAPACITY);
  const hall = await room('Hall');
  return {
    event: event.id,
    cameras: {
      lobbyEntry: await camera(lobby.id, 'Lobby entry', 'entry'),
      lobbyExit: await camera(lobby.id, 'Lobby exit', 'exit'),
      hallEntry: await camera(hall.id, 'Hall entry', 'entry'),
      hallWatch: await camera(hall.id, 'Hall inside', 'in-event'),
    },
  };
}

/** Registers each person once; whom the service recognizes in a further photo gets that photo added. */
async function registerEverybody(admin: EventsClient, event: string, folder: string): Promise<Person[]> {
  const people: Person[] = [];
  const lineup = `demo-lineup-${event}`;
  const files = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  for (const file of files.sort()) {
    const photo = new Uint8Array(readFileSync(join(folder, file)));
    const { faces } = await admin.upload<{ faces: readonly Face[] }>('/v1/faces', { image: photo, collection: lineup });
    const good = faces.filter(({ embedding_stored }) => embedding_stored);
    say(`  ${file}: ${faces.length} faces, ${good.length} pass the quality rules`);
    for (const face of good) {
      const others = faces.filter((other) => other !== face).map(({ bbox }) => bbox);
      const cutout = await cropFace(photo, face.bbox, others, MARGIN);
      await registerOne(admin, event, cutout, people);
    }
  }
  await admin.delete(`/v1/collections/${lineup}`);
  return people;
}

async function registerOne(admin: EventsClient, event: string, cutout: Uint8Array, people: Person[]): Promise<void> {
  const known = people.length === 0 ? null : await recognize(admin, event, cutout, people);
  const name = known?.name ?? `Person ${people.length + 1}`;
  try {
    const { id } = await admin.upload<{ id: string }>(`/register-attendee/${event}`, {
      ...(known === null ? newcomer(name) : { attendee_id: known.id }),
      photo: cutout,
    });
    if (known === null) people.push({ id, name, cutouts: [cutout] });
    else known.cutouts.push(cutout);
    say(`    ${name} ${known === null ? 'registered' : 'recognized, photo added'}`);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 400) throw error;
    say(`    a cut-out was refused: ${error.message}`);
  }
}

function newcomer(name: string) {
  return {
    name,
    email: `${name.replace(' ', '.').toLowerCase()}@example.com`,
    consent: 'true',
    consent_text: 'My face may be recognized at this event.',
  };
}

async function recognize(
  admin: EventsClient,
  event: string,
  cutout: Uint8Array,
  people: readonly Person[],
): Promise<Person | null> {
  try {
    const { matches } = await admin.upload<{ matches: readonly { metadata: { attendee_id: string } }[] }>(
      '/v1/search',
      {
        image: cutout,
        collection: event,
        top_k: '1',
        threshold: String(SURE_SIMILARITY),
      },
    );
    return people.find(({ id }) => id === matches[0]?.metadata.attendee_id) ?? null;
  } catch (error) {
    if (error instanceof RefusedError && error.status === 400) return null;
    throw error;
  }
}

async function report(admin: EventsClient, event: string): Promise<void> {
  const { entries } = await admin.get<{ entries: readonly TimelineEntry[] }>(`/timeline?event_id=${event}`);
  const { rooms } = await admin.get<{ rooms: readonly RoomOccupancy[] }>(`/events/${event}/occupancy`);
  const { alerts } = await admin.get<{ alerts: readonly Alert[] }>(`/events/${event}/alerts`);
  const nameOf = new Map(rooms.map(({ room_id, name }) => [room_id, name]));
  say('\nTimeline');
  console.table(
    entries.map(({ type, room_id, name, similarity, at }) => ({
      at,
      type,
      room: nameOf.get(room_id),
      name,
      similarity: Number(similarity.toFixed(3)),
    })),
  );
  say('Occupancy');
  console.table(
    rooms.map(({ name, capacity, current, peak, peak_at, entries: entered, exits }) => ({
      room: name,
      capacity,
      entries: entered,
      exits,
      current,
      peak,
      peak_at,
    })),
  );
  say('Alerts');
  console.table(
    alerts.map(({ name, capacity, occupancy, started_at, ended_at }) => ({
      room: name,
      capacity,
      occupancy,
      started_at,
      ended_at,
    })),
  );
}

function signIn(origin: string, id: 'demo-events' | 'demo-cameras'): Promise<EventsClient> {
  const secret = DEMO_CLIENTS.find((client) => client.id === id)?.secret ?? '';
  return EventsClient.signIn(origin, id, secret);
}

function say(text: string): void {
  console.log(text);
}

const folder = resolve(process.argv[2] ?? join(PATHS.root, '..', 'shared', 'data', 'faces'));
if (!existsSync(folder)) {
  console.error(`${folder} is not there. Name a folder of photographs: npm run demo:events -- <folder>`);
  process.exitCode = 1;
} else {
  const system = await runningSystem(say);
  try {
    const { right, wrong, rejected } = await play(system.origin, folder);
    say(`${right} frames right, ${wrong} wrong, ${rejected} below the quality rules and not judged`);
    process.exitCode = wrong === 0 && right > 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}
