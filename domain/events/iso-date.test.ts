import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoDateOf } from './iso-date.ts';

describe('E-14: every complete form of ISO 8601 that names a day or an instant is read', () => {
  it.each([
    ['2026-11-28', 'day', '2026-11-28T00:00:00Z'],
    ['20261128', 'day', '2026-11-28T00:00:00Z'],
    ['2026-332', 'day', '2026-11-28T00:00:00Z'],
    ['2026332', 'day', '2026-11-28T00:00:00Z'],
    ['2026-W48-6', 'day', '2026-11-28T00:00:00Z'],
    ['2026W486', 'day', '2026-11-28T00:00:00Z'],
    ['2026-W53-5', 'day', '2027-01-01T00:00:00Z'],
    ['2024-02-29', 'day', '2024-02-29T00:00:00Z'],
    ['0026-11-28', 'day', '0026-11-28T00:00:00Z'],
    ['0026-332', 'day', '0026-11-28T00:00:00Z'],
    ['0026-W48-6', 'day', '0026-11-28T00:00:00Z'],
    ['0096-02-29', 'day', '0096-02-29T00:00:00Z'],
    ['2026-11-28T03:00Z', 'instant', '2026-11-28T03:00:00Z'],
    ['2026-11-28T03:00', 'instant', '2026-11-28T03:00:00Z'],
    ['2026-11-28t03:00:07z', 'instant', '2026-11-28T03:00:07Z'],
    ['20261128T0300Z', 'instant', '2026-11-28T03:00:00Z'],
    ['20261128T030007+0530', 'instant', '2026-11-27T21:30:07Z'],
    ['2026-11-28T03Z', 'instant', '2026-11-28T03:00:00Z'],
    ['2026-11-28T03:00+05', 'instant', '2026-11-27T22:00:00Z'],
    ['2026-11-28T03:00:00.250-05:00', 'instant', '2026-11-28T08:00:00.250Z'],
    ['2026-11-28T03:00:00,25Z', 'instant', '2026-11-28T03:00:00.250Z'],
    ['2026-11-28T03:30.5Z', 'instant', '2026-11-28T03:30:30Z'],
    ['2026-11-28T24:00Z', 'instant', '2026-11-29T00:00:00Z'],
  ] as const)('%s', (text, names, at) => {
    expect(isoDateOf(text)).toMatchObject({ names, at: Date.parse(at) });
  });

  it.each([
    ['2026-02-29'],
    ['0000-01-01'],
    ['0000-001'],
    ['0000-W01-1'],
    ['0097-02-29'],
    ['2026-13-01'],
    ['2026-11-31'],
    ['2026-366'],
    ['2026-000'],
    ['2025-W53-1'],
    ['2026-W48-8'],
    ['2026-11'],
    ['2026'],
    ['28.11.2026'],
    ['2026-11-28T24:01Z'],
    ['2026-11-28T25Z'],
    ['2026-11-28T03:60Z'],
    ['2026-11-28T03:00+24:00'],
    ['2026-11-28T'],
    ['2026-11-28T03:00Z Z'],
    ['T03:00Z'],
    ['2026-11-28Z'],
    [''],
    [' 2026-11-28'],
  ])('and nothing else: %s', (text) => {
    expect(isoDateOf(text)).toBeNull();
  });

  it('an instant is the same in each of its forms', () => {
    const min = Date.parse('1970-01-01');
    fc.assert(
      fc.property(fc.date({ min: new Date(min), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
        const text = date.toISOString();
        const at = date.getTime();
        expect(isoDateOf(text)?.at).toBe(at);
        expect(isoDateOf(text.replace(/[-:]/g, ''))?.at).toBe(at);
        expect(isoDateOf(text.replace('.', ',').replace('Z', '-00'))?.at).toBe(at);
      }),
    );
  });
});
