import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEMO_CLIENTS } from '../application/seed/demo-credentials.ts';
import type { Box } from '../domain/faces/face-quality.ts';
import { cropFace, VARIANTS } from './demo-events/crop.ts';
import { EventsClient, RefusedError } from './demo-events/events-client.ts';
import { isMisaligned, judgeFrame, type SeenFace, VERDICTS, type Verdict } from './demo-events/judge-frame.ts';
import type { LabelledFace } from './labelled-faces/labelled-face.ts';
import { readLabelsOf, SAMPLE_FOLDER } from './labelled-faces/sample-photographs.ts';
import { runningSystem } from './local/own-system.ts';

/**
 * `npm run demo:events [-- <folder of labelled photos>]`: of each set of photographs an event of two rooms and four cameras. Of the people whom
 * a label names (docs/inference.md#labels), all but one in four are registered, and all walk through the rooms: each camera sees them in
 * another of their photographs, or in the one that there is, cropped, scaled, recompressed or mirrored. Nothing is judged that nobody has
 * labelled. Exit code 1 when a frame names somebody else than its label, or anybody for a person who was never registered.
 */
const MINUTE_MS = 60_000;
/** Everybody's walk through the rooms took place before now: cameras send no frames of the future. */
const WALK_MS = 60 * MINUTE_MS;
const MARGIN = 0.8;
/** Of so many people of a set the last is a stranger; of fewer, the last of all. */
const STRANGER_EVERY = 4;

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

/** Somebody whom a label names, as their photographs show them. */
interface Person {
  readonly name: string;
  /** One cut-out a photograph. */
  readonly cutouts: readonly Uint8Array[];
}

/** With the attendee that they are; null for a stranger, or whose photograph was refused. */
interface Guest extends Person {
  readonly id: string | null;
}

type Outcome = Record<Verdict, number>;

async function play(origin: string, labels: readonly LabelledFace[]): Promise<Outcome> {
  const admin = await signIn(origin, 'demo-events');
  const outcome = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Outcome;
  for (const [set, labelled] of Map.groupBy(labels, (label) => label.set)) {
    say(`\n${set === '' ? 'All photographs' : set}`);
    await playEvent(admin, await peopleOf(admin, labelled), outcome);
  }
  return outcome;
}

async function playEvent(admin: EventsClient, people: readonly Person[], outcome: Outcome): Promise<void> {
  const opened = Date.now() - WALK_MS;
  const isStranger = (at: number) => at % STRANGER_EVERY === STRANGER_EVERY - 1 || (at > 0 && at === people.length - 1);
  const capacity = Math.max(1, people.filter((_, at) => !isStranger(at)).length - 1);
  const venue = await openEvent(admin, opened, capacity);
  say(`event ${venue.event}: rooms Lobby (capacity ${capacity}) and Hall, four cameras`);
  const guests: Guest[] = [];
  for (const [at, person] of people.entries())
    guests.push({ ...person, id: isStranger(at) ? null : await register(admin, venue.event, person) });
  const registered = guests.filter(({ id }) => id !== null).length;
  say(`${registered} people are registered, ${guests.length - registered} are strangers`);

  const variants = Object.entries(VARIANTS);
  const walks = [
    { camera: venue.cameras.lobbyEntry, minute: 0 },
    { camera: venue.cameras.hallEntry, minute: 20 },
    { camera: venue.cameras.hallWatch, minute: 35 },
    { camera: venue.cameras.lobbyExit, minute: 50 },
  ];
  for (const [step, { camera, minute }] of walks.entries()) {
    for (const [index, guest] of guests.entries()) {
      // The first stays in the lobby.
      if (camera === venue.cameras.lobbyExit && index === 0) continue;
      const [variant, vary] = variants[(step + index) % variants.length] as (typeof variants)[number];
      const [first, ...others] = guest.cutouts as [Uint8Array, ...Uint8Array[]];
      const cutout = others.length === 0 ? first : others[step % others.length]!;
      const { faces } = await admin.upload<{ faces: readonly SeenFace[] }>(`/cameras/${camera.id}/frames`, {
        image: await vary(cutout),
        captured_at: new Date(opened + minute * MINUTE_MS + index * 5_000).toISOString(),
      });
      const verdict = judgeFrame(faces, guest.id);
      outcome[verdict] += 1;
      say(`  ${verdict.padEnd(15)} ${guest.name.padEnd(16)} ${camera.name}, ${variant}: ${describe(faces)}`);
    }
  }
  await report(admin, venue.event);
}

function describe(faces: readonly SeenFace[]): string {
  const said = faces.map(({ match, in_review, rejection_reason }) => {
    if (match !== null) return `${match.name} ${match.similarity.toFixed(3)}`;
    return in_review
      ? 'for people to decide'
      : `unknown${rejection_reason?.includes(' is ') || isMisaligned(rejection_reason) ? `, ${rejection_reason}` : ''}`;
  });
  return said.join('; ') || 'no face found';
}

async function openEvent(admin: EventsClient, opened: number, capacity: number) {
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
  const lobby = await room('Lobby', capacity);
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

/** The people whom labels name, each cut out of their photographs without their neighbours. */
async function peopleOf(admin: EventsClient, labelled: readonly LabelledFace[]): Promise<Person[]> {
  const lineup = `demo-lineup-${Date.now()}`;
  const cutouts = new Map<string, Uint8Array[]>();
  for (const [file, ofPhoto] of Map.groupBy(labelled, ({ photo }) => photo)) {
    const photo = new Uint8Array(readFileSync(file));
    const { faces } = await admin.upload<{ faces: readonly { readonly bbox: Box }[] }>('/v1/faces', {
      image: photo,
      collection: lineup,
    });
    for (const { at, person } of ofPhoto) {
      const face = at === null ? faces[0] : faces.find(({ bbox }) => isWithin(at, bbox));
      if (face === undefined) {
        say(`  ${person}: no face is found where the label has it`);
        continue;
      }
      const others = faces.filter((other) => other !== face).map(({ bbox }) => bbox);
      const known = cutouts.get(person) ?? [];
      cutouts.set(person, [...known, await cropFace(photo, face.bbox, others, MARGIN)]);
    }
  }
  await admin.delete(`/v1/collections/${lineup}`).catch(unlessMissing);
  return [...cutouts].map(([name, of]) => ({ name, cutouts: of }));
}

/** No face of the photographs was good enough to be stored, so there is no collection. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof RefusedError) || error.status !== 404) throw error;
}

function isWithin([x, y]: readonly [number, number], [x1, y1, x2, y2]: Box): boolean {
  return x1 < x && x < x2 && y1 < y && y < y2;
}

/** Null where the photograph is refused for its quality: they walk as a stranger. */
async function register(admin: EventsClient, event: string, { name, cutouts }: Person): Promise<string | null> {
  try {
    const { id } = await admin.upload<{ id: string }>(`/register-attendee/${event}`, {
      name,
      email: `${name.replaceAll(/[^\w]+/g, '.').toLowerCase()}@example.com`,
      consent: 'true',
      consent_text: 'My face may be recognized at this event.',
      photo: cutouts[0]!,
    });
    return id;
  } catch (error) {
    if (!(error instanceof RefusedError) || error.status !== 400) throw error;
    say(`  ${name} is not registered, the photograph was refused: ${JSON.stringify(error.details)}`);
    return null;
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

const folder = resolve(process.argv[2] ?? SAMPLE_FOLDER);
const labels = existsSync(folder) ? readLabelsOf(folder) : null;
if (labels === null) {
  const missing = existsSync(folder) ? 'holds no labels: a folder a person, or faces.csv' : 'is not there';
  console.error(`${folder} ${missing}. Name a folder of labelled photographs: npm run demo:events -- <folder>`);
  process.exitCode = 1;
} else {
  const system = await runningSystem(say);
  try {
    const outcome = await play(system.origin, labels);
    say(`frames: ${VERDICTS.map((verdict) => `${outcome[verdict]} ${verdict}`).join(', ')}`);
    process.exitCode = outcome.wrong === 0 && outcome.right > 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}
