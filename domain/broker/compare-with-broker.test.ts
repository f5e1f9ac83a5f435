import { expect, test } from 'vitest';
import { type BothSides, compareWithBroker } from './compare-with-broker.ts';

const agreed: BothSides = {
  positionHere: 15_0000,
  positionThere: '15',
  quantityScale: 4,
  openHere: ['one', 'two'],
  openThere: ['two', 'one'],
};

test('where both say the same there is no difference', () => {
  expect(compareWithBroker(agreed)).toEqual([]);
  expect(compareWithBroker({ ...agreed, positionHere: -3_0000, positionThere: '-3' })).toEqual([]);
});

test.each([
  ['15.5', 'the broker holds 0.5 more than trades say'],
  ['-1', 'the broker holds 16 less than trades say'],
  ['14.9999', 'the broker holds 0.0001 less than trades say'],
  ['15.0001', 'the broker holds 0.0001 more than trades say'],
  ['15.00001', 'the broker holds 15.00001'],
])('a position of %s is a difference', (positionThere, detail) => {
  expect(compareWithBroker({ ...agreed, positionThere })).toEqual([{ kind: 'position', orderId: '', detail }]);
});

test('orders that are open on one side alone are differences', () => {
  expect(compareWithBroker({ ...agreed, openHere: ['one', 'here'], openThere: ['one', 'there'] })).toEqual([
    { kind: 'open_here', orderId: 'here', detail: 'open here, not at the broker' },
    { kind: 'open_there', orderId: 'there', detail: 'open at the broker, not here' },
  ]);
});
