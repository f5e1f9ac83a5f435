import type { Mutant } from './mutant.ts';

const RECOGNITION_TESTS = ['domain/faces/recognize-faces.test.ts'];
const REVIEW_TESTS = ['test/runtime/workers/events/reviews.test.ts'];

/** Rules by which a face opens a door. */
export const FACE_MUTANTS: readonly Mutant[] = [
  {
    rule: 'faces: an event’s id in capitals is the event’s own collection',
    file: 'workers/events/collections/collection-name.ts',
    from: 'WrittenCollectionName.overwrite(ownId)',
    to: 'WrittenCollectionName',
    tests: ['test/runtime/workers/events/faces.test.ts'],
  },
  {
    rule: 'faces: a match is ahead of everybody else by the margin',
    file: 'domain/faces/recognize-faces.ts',
    from: ' && isAhead',
    to: '',
    tests: RECOGNITION_TESTS,
  },
  {
    rule: 'faces: a match reaches its threshold',
    file: 'domain/faces/recognize-faces.ts',
    from: 'candidate.similarity >= matchFrom && isAhead',
    to: 'isAhead',
    tests: RECOGNITION_TESTS,
  },
  {
    rule: 'faces: the margin counts those who are too unlike to be reviewed',
    file: 'application/events/frames/ingest-frame.ts',
    from: 'Math.max(rule.reviewFrom - rule.margin, -1)',
    to: 'rule.matchFrom + 0 * rule.margin',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'faces: the rule of a camera goes before that of its event',
    file: 'application/events/frames/ingest-frame.ts',
    from: '[matchSetting(camera), matchSetting(event)]',
    to: '[matchSetting(event), matchSetting(camera)]',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'faces: landmarks that move are of nobody',
    file: 'containers/inference/faces/landmarks/steady-landmarks.ts',
    from: '<= SHIFT_MAX)) return false;',
    to: '<= 9 * SHIFT_MAX)) return false;',
    tests: ['containers/inference/faces/landmarks/steady-landmarks.test.ts'],
  },
  {
    rule: 'faces: landmarks are looked at from either side',
    file: 'containers/inference/faces/landmarks/steady-landmarks.ts',
    from: '[-Math.PI / 9, Math.PI / 9]',
    to: '[-Math.PI / 9]',
    tests: ['containers/inference/faces/landmarks/steady-landmarks.test.ts'],
  },
  {
    rule: 'faces: a review is decided once',
    file: 'data/events/reviews/decide-review.ts',
    from: "AND status = 'pending' AND json_array_length",
    to: 'AND json_array_length',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'faces: a decision that did not take place makes no entry',
    file: 'data/events/reviews/decide-review.ts',
    from: '[presence], tookPlace(correction))',
    to: '[presence], sql`true`)',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'faces: erasing somebody takes the reviews of them',
    file: 'application/events/attendees/erase-attendee.ts',
    from: 'await deleteReviewsOf(db, eventId, trace.tag)',
    to: 'Math.min(0, deleteReviewsOf.length)',
    tests: REVIEW_TESTS,
  },
  {
    rule: 'faces: a collection is searched once no face waits to be embedded by the model',
    file: 'application/events/faces/search-faces.ts',
    from: 'if (await awaitsEmbedding(db, open.collection.id, model)) {',
    to: "if (await awaitsEmbedding(db, '', model)) {",
    tests: ['test/runtime/workers/events/reembed.test.ts'],
  },
  {
    rule: 'attendees: spellings of one address register one person',
    file: 'domain/events/email-address.ts',
    from: 'hostOf(domain) ?? folded(domain)',
    to: 'folded(domain)',
    tests: ['domain/events/email-address.test.ts'],
  },
];
