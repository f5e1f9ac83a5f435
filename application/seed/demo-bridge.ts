import { demoId } from './demo-partners.ts';

/** The organization that runs the demo's tenant of the bridge. Local only: the secret stands in the source. */
export const DEMO_TENANT = {
  id: demoId(8),
  name: 'Demo Bridge',
  contactEmail: 'bridge@example.com',
  secret: 'demo-bridge-secret-local-only',
  hostname: 'bridge.localhost',
  chains: ['ethereum'],
  branding: { primaryColor: '#0a5cff', accentColor: null, supportUrl: null },
} as const;

/** Its customer, whose account carries the same id. */
export const DEMO_CUSTOMER = { id: demoId(9), name: 'Dana Brooks', email: 'dana@example.com' } as const;
