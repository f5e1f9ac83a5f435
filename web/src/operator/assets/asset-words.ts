import type { components } from '../../api/generated/exchange-api.ts';
import type { ListingEvent, VenueAsset } from '../desk-queries.ts';

export const ASSET_STATUSES = ['APPROVED', 'PENDING', 'SUSPENDED', 'DELISTED'] as const;

export type AssetStatus = VenueAsset['status'];

/** Of what is listed: currencies and allowances are not. */
export type ListedCategory = components['schemas']['OperatorAssetRequest']['category'];

/** What an operator may make of an asset: one that is delisted stays so. */
export function nextStatuses(status: AssetStatus): readonly AssetStatus[] {
  switch (status) {
    case 'PENDING':
      return ['APPROVED', 'DELISTED'];
    case 'APPROVED':
      return ['SUSPENDED', 'DELISTED'];
    case 'SUSPENDED':
      return ['APPROVED', 'DELISTED'];
    case 'DELISTED':
      return [];
  }
}

export function toneOfAsset(status: AssetStatus): 'ok' | 'wait' | 'bad' | 'none' {
  return ({ APPROVED: 'ok', PENDING: 'wait', SUSPENDED: 'bad', DELISTED: 'none' } as const)[status];
}

/** Those of a form's fields that differ from what the asset says now: what is left out stays. */
export function changedFields(
  now: Readonly<Record<string, string>>,
  form: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(form).filter((name) => form[name]?.trim() !== now[name]);
}

/** Of a listing event, in the order in which it comes through them. */
export const LISTING_STEPS = ['announced', 'offered', 'allotted', 'converted', 'done'] as const;

/** Whether an event still goes on by itself. */
export function isListingUnderWay(state: ListingEvent['state']): boolean {
  return state !== 'done' && state !== 'refused' && state !== 'stopped';
}

/** Whether it has not come too far to be stopped. */
export function mayStop(state: ListingEvent['state']): boolean {
  return state === 'announced' || state === 'offered' || state === 'allotted';
}

export function toneOfListing(state: ListingEvent['state']): 'ok' | 'run' | 'bad' | 'none' {
  if (state === 'done') return 'ok';
  if (state === 'refused') return 'bad';
  return state === 'stopped' ? 'none' : 'run';
}
