import { createProfile } from '../middleware/profile.ts';
import { completeTransferRoute } from './complete-transfer-route.ts';
import { getTenantLogoRoute, getTenantRoute } from './get-tenant-route.ts';
import { getTransferRoute } from './get-transfer-route.ts';
import { initiateTransferRoute } from './initiate-transfer-route.ts';
import { listTransfersRoute } from './list-transfers-route.ts';
import { transferLedgerRoutes } from './transfer-ledger-routes.ts';

/** White-label tenants of the bridge, and their customers’ transfers (docs/design/bridge.md). */
export const bridge = createProfile({
  name: 'bridge',
  title: 'Bridge API',
  fieldNames: 'snake_case',
  description:
    'Moves digital assets between other chains and the exchange. Each tenant has a hostname of its own; on a host that serves several, `hostname` in the query names the tenant. Amounts are JSON numbers in whole units of the asset, amounts of chains text in the chain’s smallest unit, timestamps ISO 8601.',
});

getTenantRoute(bridge);
getTenantLogoRoute(bridge);
initiateTransferRoute(bridge);
listTransfersRoute(bridge);
getTransferRoute(bridge);
completeTransferRoute(bridge);
transferLedgerRoutes(bridge);
