import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { chosen, oneOf, path, text } from '../address.ts';

/** Desks of the venue, and finding by id: below the route of its section. */
export function deskRoutes<Venue extends AnyRoute>(venue: Venue) {
  return {
    search: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/search'),
      validateSearch: (search: Record<string, unknown>) => chosen({ id: text(search.id?.toString()) }),
      component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
    }),
    assets: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/assets'),
      validateSearch: (search: Record<string, unknown>) =>
        chosen({
          status: oneOf(['APPROVED', 'PENDING', 'SUSPENDED', 'DELISTED'], search.status),
          search: text(search.search?.toString()),
          cursor: text(search.cursor),
        }),
      component: lazyRouteComponent(() => import('./assets/venue-assets-page.tsx'), 'VenueAssetsPage'),
    }),
    asset: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/assets/$assetId'),
      component: lazyRouteComponent(() => import('./assets/venue-asset-page.tsx'), 'VenueAssetPage'),
    }),
    listing: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/assets/$assetId/listings/$eventId'),
      validateSearch: (search: Record<string, unknown>) => chosen({ cursor: text(search.cursor?.toString()) }),
      component: lazyRouteComponent(() => import('./assets/listing-page.tsx'), 'ListingPage'),
    }),
    breaks: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/breaks'),
      validateSearch: (search: Record<string, unknown>) =>
        chosen({
          show: oneOf(['breaks', 'differences', 'events'], search.show),
          state: oneOf(['open', 'resolved', 'all'], search.state),
          cursor: text(search.cursor),
        }),
      component: lazyRouteComponent(() => import('./breaks/breaks-page.tsx'), 'BreaksPage'),
    }),
    break: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/breaks/$symbol/$breakId'),
      component: lazyRouteComponent(() => import('./breaks/break-page.tsx'), 'BreakPage'),
    }),
    webhooks: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/webhooks'),
      validateSearch: (search: Record<string, unknown>) =>
        chosen({
          status: oneOf(['enabled', 'disabled'], search.status),
          organization: text(search.organization),
          cursor: text(search.cursor),
        }),
      component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    }),
    webhook: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/webhooks/$webhookId'),
      validateSearch: (search: Record<string, unknown>) =>
        chosen({
          status: oneOf(['waiting', 'delivered', 'dead', 'skipped', 'all'], search.status),
          cursor: text(search.cursor?.toString()),
        }),
      component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
    }),
    bridge: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/bridge'),
      validateSearch: (search: Record<string, unknown>) => chosen({ cursor: text(search.cursor) }),
      component: lazyRouteComponent(() => import('./bridge/bridges-page.tsx'), 'BridgesPage'),
    }),
    bridgeOf: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/bridge/$organization'),
      validateSearch: (search: Record<string, unknown>) => chosen({ cursor: text(search.cursor) }),
      component: lazyRouteComponent(() => import('./bridge/bridge-page.tsx'), 'BridgePage'),
    }),
    bridgeTransfer: createRoute({
      getParentRoute: () => venue,
      path: path('/operator/bridge/$organization/$transferId'),
      component: lazyRouteComponent(() => import('./bridge/bridge-transfer-page.tsx'), 'BridgeTransferPage'),
    }),
  };
}
