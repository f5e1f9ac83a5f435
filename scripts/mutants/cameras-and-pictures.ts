import type { Mutant } from './mutant.ts';

const PICTURE_TESTS = ['test/adversary/camera/costly-pictures.test.ts'];
const PEOPLE_TESTS = ['test/adversary/event-staff/photos-of-two-people.test.ts'];
const STORED_PEOPLE_TESTS = ['test/runtime/adversary/event-staff/photos-of-two-people.test.ts'];
const CAMERA_TESTS = ['test/runtime/adversary/camera/stolen-credential.test.ts'];
const REVIEW_TESTS = ['test/runtime/workers/events/reviews.test.ts'];
const PICTURE_PARTS = 'containers/inference/images/picture-parts.ts';

/** What a camera, or whoever sends pictures, may cost and learn. */
export const CAMERA_AND_PICTURE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'cameras: binding is an act of the trail',
    file: 'workers/events/trail/staff-acts.ts',
    from: "'put /cameras/{id}/credentials/{user_id}': 'camera_bound'",
    to: "'put /cameras/{id}/credentials/{user_id}': null",
    tests: ['test/runtime/adversary/event-staff/trail.test.ts'],
  },
  {
    rule: 'cameras: a frame says who sent it',
    file: 'application/events/frames/ingest-frame.ts',
    from: '    sentBy,',
    to: '    sentBy: null,',
    tests: ['test/runtime/adversary/event-staff/trail.test.ts'],
  },
  {
    rule: 'pictures: a JPEG has a bounded number of scans',
    file: PICTURE_PARTS,
    from: 'if (marker === SOS) count.scan();',
    to: '',
    tests: PICTURE_TESTS,
  },
  {
    rule: 'pictures: segments of a JPEG are bounded',
    file: PICTURE_PARTS,
    from: '    count.chunk();\n    if (marker === SOS)',
    to: '    if (marker === SOS)',
    tests: PICTURE_TESTS,
  },
  {
    rule: 'pictures: the pixels of a PNG come in a bounded number of pieces',
    file: PICTURE_PARTS,
    from: "if (type === 'IDAT') count.pixelChunk();",
    to: "if (type === 'IDAT') length_bytes;",
    tests: PICTURE_TESTS,
  },
  {
    rule: 'pictures: compressed metadata are measured as large as they become',
    file: PICTURE_PARTS,
    from: 'return isLarge ? room_bytes + 1 :',
    to: 'return isLarge ? 0 :',
    tests: PICTURE_TESTS,
  },
  {
    rule: 'pictures: the parts are counted before sharp sees the picture',
    file: 'containers/inference/images/decode-image.ts',
    from: 'if (isPartsFailure(parts)) return invalid(',
    to: 'if (isPartsFailure(parts) && (await readHeader(bytes)) !== null) return invalid(',
    tests: PICTURE_TESTS,
  },
  {
    rule: 'pictures: work is weighed by the passes of the decoder',
    file: 'containers/inference/pool/work-of.ts',
    from: '(pixels * size.passes)',
    to: 'pixels',
    tests: ['containers/inference/pool/work-of.test.ts'],
  },
  {
    rule: 'one attendee: photos of a call resemble each other',
    file: 'application/events/registration/examine-photos.ts',
    from: 'if (unlike.length > 0)',
    to: 'if (unlike.length > 99)',
    tests: PEOPLE_TESTS,
  },
  {
    rule: 'one attendee: two faces of a frame are left to people',
    file: 'domain/faces/recognize-faces.ts',
    from: ' && !isContested(candidate)',
    to: '',
    tests: PEOPLE_TESTS,
  },
  {
    rule: 'one attendee: an added photo resembles those that are stored',
    file: 'application/events/registration/resemblance.ts',
    from: 'return unlike.length === 0 ? ok({ photoIds })',
    to: 'return unlike.length < 99 ? ok({ photoIds })',
    tests: STORED_PEOPLE_TESTS,
  },
  {
    rule: 'cameras: a credential speaks for the cameras that it is bound to',
    file: 'application/events/frames/open-camera.ts',
    from: 'if (!mayBindCameras && !(await',
    to: 'if (!mayBindCameras && false && !(await',
    tests: CAMERA_TESTS,
  },
  {
    rule: 'cameras: a camera is told that its frame was taken, and no more',
    file: 'workers/events/frames/frame-schema.ts',
    from: 'return mayReadAttendees ? frameView(report)',
    to: 'return mayReadAttendees || true ? frameView(report)',
    tests: CAMERA_TESTS,
  },
  {
    rule: 'cameras: a picture is taken once in an event, also of frames that come at once',
    file: 'data/events/images/frames.ts',
    from: '[insertFrame(frame, named), insertPicture(frame), ...sightings]',
    to: '[insertFrame(frame, named), ...sightings]',
    tests: CAMERA_TESTS,
  },
  {
    rule: 'a frame on its way keeps nothing of who is erased meanwhile',
    file: 'data/events/images/frames.ts',
    from: 'if (named.length === 0) return sql`TRUE`;',
    to: 'if (named.length >= 0) return sql`TRUE`;',
    tests: ['test/runtime/workers/events/frames.test.ts'],
  },
  {
    rule: 'cameras: what comes long after its time is late',
    file: 'data/events/timeline/timeline.ts',
    from: 'f.received_at - f.captured_at >',
    to: 'f.captured_at - f.received_at >',
    tests: CAMERA_TESTS,
  },
  {
    rule: 'cameras: an ended credential sends nothing more',
    file: 'workers/events/cameras/camera-credential-routes.ts',
    from: 'await endCredential(db, { tenant, cameraId: camera.id, userId });',
    to: '',
    tests: CAMERA_TESTS,
  },
  {
    rule: 'reviews: one camera leaves room for those of others',
    file: 'data/events/reviews/record-reviews.ts',
    from: 'PENDING_MAX.camera',
    to: '1_000_000',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'reviews: one candidate leaves room for others',
    file: 'data/events/reviews/record-reviews.ts',
    from: 'PENDING_MAX.candidate',
    to: '1_000_000',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'reviews: an event has so many that wait',
    file: 'data/events/reviews/record-reviews.ts',
    from: 'PENDING_MAX.event',
    to: '1_000_000',
    tests: REVIEW_TESTS,
  },
];
