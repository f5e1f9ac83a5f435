import { VENUE_OWNER } from '../../domain/identity/venue.ts';

/** Applications that sign people in, and machine clients, of the demo. Local only: the secrets stand in the source. */
export const DEMO_CLIENTS = [
  { id: 'demo-app', owner: 'demo', name: 'Demo trading application', secret: null, person: null },
  {
    id: 'demo-service',
    owner: 'demo',
    name: 'Demo back office service',
    secret: 'demo-service-secret-local-only',
    person: 'service',
  },
  {
    id: 'demo-events',
    owner: 'demo',
    name: 'Demo event service',
    secret: 'demo-events-secret-local-only',
    person: 'events',
  },
  {
    id: 'demo-cameras',
    owner: 'demo',
    name: 'Demo door cameras',
    secret: 'demo-cameras-secret-local-only',
    person: 'doors',
  },
  {
    id: 'venue-audit',
    owner: VENUE_OWNER,
    name: 'npm run audit',
    secret: 'venue-audit-secret-local-only',
    person: 'auditor',
  },
  {
    id: 'venue-operator',
    owner: VENUE_OWNER,
    name: 'Demo operator of the venue',
    secret: 'venue-operator-secret-local-only',
    person: 'olivia',
  },
] as const;

/** Id and secret of a demo person's API key. */
export function demoKeyOf(person: string): { readonly id: string; readonly secret: string } {
  return { id: `${person}-key`, secret: `${person}-secret-local-only` };
}
