import type { Mutant } from './mutant.ts';

const PICTURE_TESTS = ['test/adversary/camera/costly-pictures.test.ts'];
const PEOPLE_TESTS = ['test/adversary/event-staff/photos-of-two-people.test.ts'];
const STORED_PEOPLE_TESTS = ['test/runtime/adversary/event-staff/photos-of-two-people.test.ts'];
const PICTURE_PARTS = 'containers/inference/images/picture-parts.ts';

/** What a camera, or whoever sends pictures, may cost and learn. */
export const CAMERA_AND_PICTURE_MUTANTS: readonly Mutant[] = [
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
    from: '? [photo] : []',
    to: '? [] : []',
    tests: STORED_PEOPLE_TESTS,
  },
];
