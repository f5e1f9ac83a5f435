import { expect, test } from 'vitest';
import { displayText } from './display-text.ts';

test.each([
  ['private_corporation', 'Private Corporation'],
  ['limited_liability_company', 'Limited Liability Company'],
  ['limited_partnership', 'Limited Partnership'],
  ['public_company', 'Public Company'],
  ['sole_proprietorship', 'Sole Proprietorship'],
  ['special_purpose_vehicle', 'Special Purpose Vehicle'],
  ['trust', 'Trust'],
  ['preferred_stock', 'Preferred Stock'],
])('payloads of trades show %s as %s', (word, text) => {
  expect(displayText(word)).toBe(text);
});
