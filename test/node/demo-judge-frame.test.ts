import { expect, it } from 'vitest';
import { judgeFrame, type SeenFace } from '../../scripts/demo-events/judge-frame.ts';

const GOOD = { blur: 0.1, yaw: 0, pitch: 0, face_size: 120 };
const face = (terms: Partial<SeenFace> = {}): SeenFace => ({ quality: GOOD, match: null, in_review: false, ...terms });
const like = (attendee_id: string) => face({ match: { attendee_id, name: attendee_id, similarity: 0.9 } });

it.each([
  ['nobody is found', [], 'ana', 'without a face'],
  ['the face may not be stored', [face({ quality: { ...GOOD, blur: 0.9 } })], 'ana', 'of poor quality'],
  [
    'the face is cut off by the edge',
    [face({ rejection_reason: 'cut_off: too much lies outside' })],
    'ana',
    'of poor quality',
  ],
  [
    'the face of a frame is never stored',
    [face({ rejection_reason: 'faces of frames are not stored' })],
    'ana',
    'missed',
  ],
  ['somebody is recognized as who the label says', [like('ana')], 'ana', 'right'],
  ['somebody is recognized as somebody else', [like('bo')], 'ana', 'wrong'],
  ['somebody beside them is recognized, who is not in the frame', [like('ana'), like('bo')], 'ana', 'wrong'],
  ['somebody registered is recognized as nobody', [face()], 'ana', 'missed'],
  ['somebody registered is for people to decide', [face({ in_review: true })], 'ana', 'left to people'],
  ['a stranger is recognized', [like('ana')], null, 'wrong'],
  ['a stranger is nobody', [face()], null, 'right'],
  ['a stranger is for people to decide', [face({ in_review: true })], null, 'left to people'],
] as const)('of the demo a frame where %s', (_, faces, person, verdict) => {
  expect(judgeFrame(faces, person)).toBe(verdict);
});
