import type { Found } from '../desk-queries.ts';

/** Where what was found has a page; null where the answer itself is all there is. */
export type Place =
  | { readonly to: '/operator/people/$userId'; readonly params: { readonly userId: string } }
  | { readonly to: '/operator/accounts/$accountId'; readonly params: { readonly accountId: string } }
  | { readonly to: '/operator/transfers/$requestId'; readonly params: { readonly requestId: string } }
  | { readonly to: '/operator/identities/$identityId'; readonly params: { readonly identityId: string } }
  | { readonly to: '/operator/approvals/$approvalId'; readonly params: { readonly approvalId: string } }
  | { readonly to: '/operator/assets/$assetId'; readonly params: { readonly assetId: string } }
  | {
      readonly to: '/operator/assets/$assetId/listings/$eventId';
      readonly params: { readonly assetId: string; readonly eventId: string };
    }
  | { readonly to: '/operator/markets/$symbol'; readonly params: { readonly symbol: string } }
  | { readonly to: '/operator/webhooks/$webhookId'; readonly params: { readonly webhookId: string } }
  | {
      readonly to: '/operator/bridge/$organization/$transferId';
      readonly params: { readonly organization: string; readonly transferId: string };
    };

export function placeOf({ kind, id, userId, assetId, organization }: Found): Place | null {
  switch (kind) {
    case 'person':
      return { to: '/operator/people/$userId', params: { userId: id } };
    case 'api_key':
      return userId === null ? null : { to: '/operator/people/$userId', params: { userId } };
    case 'account':
      return { to: '/operator/accounts/$accountId', params: { accountId: id } };
    case 'transfer_request':
      return { to: '/operator/transfers/$requestId', params: { requestId: id } };
    case 'identity':
      return { to: '/operator/identities/$identityId', params: { identityId: id } };
    case 'approval':
      return { to: '/operator/approvals/$approvalId', params: { approvalId: id } };
    case 'asset':
      return { to: '/operator/assets/$assetId', params: { assetId: id } };
    case 'market':
      return { to: '/operator/markets/$symbol', params: { symbol: id } };
    case 'listing_event':
      return assetId === null
        ? null
        : { to: '/operator/assets/$assetId/listings/$eventId', params: { assetId, eventId: id } };
    case 'webhook':
      return { to: '/operator/webhooks/$webhookId', params: { webhookId: id } };
    case 'bridge_transfer':
      return organization === null
        ? null
        : { to: '/operator/bridge/$organization/$transferId', params: { organization, transferId: id } };
    default:
      return null;
  }
}
