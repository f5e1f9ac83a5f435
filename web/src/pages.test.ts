import { describe, expect, test } from 'vitest';
import { isShownTo, PAGES, type Page, placesOf, sectionOf } from './pages.ts';

const of = (...powers: string[]) => ({ powers, account: null });
const shown = (viewer: ReturnType<typeof of>) =>
  (PAGES as readonly Page[]).filter((page) => page.power !== undefined && isShownTo(page, viewer));

describe('the section of operators', () => {
  test('begins with the venue for those who run or audit it', () => {
    expect(sectionOf(of('see_accounts', 'audit_venue'))).toBe('/operator');
  });

  test('begins with the people of their organization for those who see its accounts alone, without the pages of the venue', () => {
    const viewer = of('see_accounts');
    expect(placesOf(viewer)).toEqual(['/operator/people', '/markets']);
    const paths = shown(viewer).map(({ path }) => path);
    expect(paths).toContain('/operator/people');
    expect(paths).not.toContain('/operator');
    expect(paths).not.toContain('/operator/approvals');
  });

  test('is not there for anybody else', () => {
    expect(placesOf(of())).toEqual(['/markets']);
    expect(shown(of())).toEqual([]);
  });
});
