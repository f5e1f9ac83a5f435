import type { Mutant } from './mutant.ts';

const OCCUPANCY = ['domain/events/occupancy.test.ts'];
const CROWD = ['test/runtime/adversary/event-staff/crowd-of-unnamed-faces.test.ts'];
const REGISTRATION = ['test/runtime/workers/events/registration.test.ts'];
const TIMES = ['test/runtime/workers/events/times.test.ts'];
const TURN = ['containers/inference/faces/orientation/surest-turn.test.ts'];
const DATES = ['domain/events/event-dates.test.ts'];

/** Rules by which the events service answers: turned faces, searches, doors, dates, registrations, addresses of cameras. */
export const EVENT_ANSWER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'faces: a face is upright where the detector is surest of it, not where its landmarks have it',
    file: 'containers/inference/faces/orientation/surest-turn.ts',
    from: 'if (confidence > surest.confidence) surest',
    to: 'if (confidence > 1) surest',
    tests: TURN,
  },
  {
    rule: 'faces: of a face of which the detector is nowhere sure there is no vector',
    file: 'containers/inference/faces/orientation/surest-turn.ts',
    from: 'surest.confidence >= UPRIGHT_CONFIDENCE_MIN ? surest.angle : null',
    to: 'surest.confidence >= UPRIGHT_CONFIDENCE_MIN * 0 ? surest.angle : null',
    tests: TURN,
  },
  {
    rule: 'faces: where no quarter is certain, the detector looks between them',
    file: 'containers/inference/faces/orientation/surest-turn.ts',
    from: 'if (surest.confidence < CERTAIN)',
    to: 'if (surest.confidence < 0 * CERTAIN)',
    tests: TURN,
  },
  {
    rule: 'faces: what is no upright face breaks a rule',
    file: 'domain/faces/face-quality.ts',
    from: 'if (misaligned !== undefined)',
    to: 'if (misaligned !== undefined && misaligned !== misaligned)',
    tests: ['domain/faces/face-quality.test.ts'],
  },
  {
    rule: 'faces: the share of a crop beyond the picture is counted on every side',
    file: 'containers/inference/faces/alignment/share-outside.ts',
    from: 'x < 0 || y < 0 || ',
    to: '',
    tests: ['containers/inference/faces/alignment/share-outside.test.ts'],
  },
  {
    rule: 'search: faces of nobody take no place of an attendee',
    file: 'durable-objects/gallery/shard/vector-index.ts',
    from: 'if (subjectsOnly && subject === 0) continue;',
    to: '',
    tests: CROWD,
  },
  {
    rule: 'search: a frame’s candidates are attendees alone',
    file: 'application/events/frames/ingest-frame.ts',
    from: 'subjectsOnly: true',
    to: 'subjectsOnly: false',
    tests: CROWD,
  },
  {
    rule: 'search: a merged attendee takes one place',
    file: 'application/events/faces/search-faces.ts',
    from: 'if (!wantsMore)',
    to: 'if (!wantsMore || wantsMore)',
    tests: CROWD,
  },
  {
    rule: 'occupancy: who is seen at the other kind of door meanwhile has gone through twice',
    file: 'domain/events/door-movements.ts',
    from: '...[...new Set(again)].map(',
    to: '...[...new Set(again)].slice(again.length).map(',
    tests: OCCUPANCY,
  },
  {
    rule: 'occupancy: a movement that follows from others and changes nothing is none',
    file: 'domain/events/occupancy.ts',
    from: 'if (isImplied && !effective) return [];',
    to: '',
    tests: OCCUPANCY,
  },
  {
    rule: 'occupancy: no peak and no alert before the event has begun',
    file: 'domain/events/occupancy.ts',
    from: 'if (now < date) return [];',
    to: '',
    tests: OCCUPANCY,
  },
  {
    rule: 'occupancy: what is after the event is no peak',
    file: 'domain/events/occupancy.ts',
    from: ' && at <= endDate',
    to: '',
    tests: OCCUPANCY,
  },
  {
    rule: 'frames: of a time long after the event are refused',
    file: 'domain/events/captured-at.ts',
    from: "AFTER_EVENT_MS_MAX ? 'after_the_event' : null",
    to: 'AFTER_EVENT_MS_MAX ? null : null',
    tests: ['domain/events/captured-at.test.ts'],
  },
  {
    rule: 'timeline: an entry by hand is of a time at which a camera could have seen it',
    file: 'application/events/corrections/add-manual-entry.ts',
    from: 'if (impossible !== null)',
    to: 'if (impossible !== impossible)',
    tests: TIMES,
  },
  {
    rule: 'timeline: aggregates are of the entries that the list shows',
    file: 'application/events/timeline/read-timeline.ts',
    from: 'movement.lastSeenAt >= from',
    to: 'movement.at >= from',
    tests: TIMES,
  },
  {
    rule: 'events: without an end they last twelve hours at least',
    file: 'domain/events/event-dates.ts',
    from: ', at + LASTS_MS_MIN)',
    to: ', at + 0 * LASTS_MS_MIN)',
    tests: DATES,
  },
  {
    rule: 'events: a last day is whole in the zone of the beginning',
    file: 'domain/events/event-dates.ts',
    from: 'endOfDay(end.at, begin.offset)]',
    to: 'endOfDay(end.at, 0)]',
    tests: DATES,
  },
  {
    rule: 'events: a first day begins where it begins first',
    file: 'domain/events/event-dates.ts',
    from: 'offset ?? FIRST_ZONE_AHEAD_MS',
    to: 'offset ?? 0 * FIRST_ZONE_AHEAD_MS',
    tests: DATES,
  },
  {
    rule: 'registration: a poor face is no error',
    file: 'application/events/registration/examine-photos.ts',
    from: 'if (good === undefined) return null;',
    to: "if (good === undefined) return 'poor';",
    tests: REGISTRATION,
  },
  {
    rule: 'registration: two good faces leave open who is meant',
    file: 'application/events/registration/examine-photos.ts',
    from: "if (another !== undefined) return 'several_faces';",
    to: '',
    tests: REGISTRATION,
  },
  {
    rule: 'registration: a poor face that is larger than the good one leaves open who is meant',
    file: 'application/events/registration/examine-photos.ts',
    from: "? 'larger_face' : null",
    to: '? null : null',
    tests: REGISTRATION,
  },
  {
    rule: 'registration: without consent of its own or of the event there is none',
    file: 'application/events/registration/registrant.ts',
    from: 'if (consent === null)',
    to: "if (consent === null && email === '')",
    tests: REGISTRATION,
  },
  {
    rule: 'cameras: an @ behind the first / hides the host',
    file: 'domain/events/stream-address.ts',
    from: '!/@|%40/i.test(rest) && ',
    to: '',
    tests: ['domain/events/stream-address.test.ts'],
  },
  {
    rule: 'cameras: of what ffmpeg says known reasons alone are logged',
    file: 'containers/camera-agent/stream-failure.ts',
    from: 'return [`ffmpeg',
    to: 'return [complaint, `ffmpeg',
    tests: ['containers/camera-agent/stream-failure.test.ts'],
  },
  {
    rule: 'cameras: addresses lie sealed',
    file: 'data/events/sites/cameras.ts',
    from: "key.seal(new TextEncoder().encode(source), ['camera_source', cameraId])",
    to: "key.seal(new TextEncoder().encode(''), ['camera_source', cameraId])",
    tests: ['test/runtime/workers/events/rooms-and-cameras.test.ts'],
  },
  {
    rule: 'retention: the period is that of the deployment',
    file: 'application/events/retention/retention.ts',
    from: 'Math.round(days * DAY_MS)',
    to: 'Math.round(0 * days + 30 * DAY_MS)',
    tests: ['application/events/retention/retention.test.ts'],
  },
];
