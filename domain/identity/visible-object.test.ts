import { describe, expect, it } from 'vitest';
import { visibleTo } from './visible-object.ts';

const TRADE = { owner: 'one', account: 'buyer', otherOwner: 'two', otherAccount: 'seller' };

describe('what somebody sees of an object', () => {
  it('is all of it for the venue', () => {
    expect(visibleTo(TRADE, null)).toEqual(TRADE);
  });

  it('is nothing of what is another organization’s, or nobody’s', () => {
    expect(visibleTo(TRADE, 'three')).toBeNull();
    expect(visibleTo({ owner: null, account: 'a', otherOwner: null, otherAccount: null }, 'one')).toBeNull();
  });

  it('is the own side of a trade alone', () => {
    expect(visibleTo(TRADE, 'one')).toEqual({ ...TRADE, otherOwner: null, otherAccount: null });
    expect(visibleTo(TRADE, 'two')).toEqual({ ...TRADE, owner: null, account: null });
  });

  it('is both sides of a trade within the organization', () => {
    const within = { ...TRADE, otherOwner: 'one' };
    expect(visibleTo(within, 'one')).toEqual(within);
  });
});
