import type { Profile } from '../../middleware/profile.ts';
import { createEventRoute } from './create-event-route.ts';
import { deleteEventRoute } from './delete-event-route.ts';
import { getEventRoute } from './get-event-route.ts';
import { leaveServiceRoute } from './leave-service-route.ts';
import { listEventsRoute } from './list-events-route.ts';
import { shredEventRoute } from './shred-event-route.ts';

export function registerEventRoutes(events: Profile): void {
  listEventsRoute(events);
  createEventRoute(events);
  getEventRoute(events);
  deleteEventRoute(events);
  shredEventRoute(events);
  leaveServiceRoute(events);
}
