import type { Profile } from '../../middleware/profile.ts';
import { listCorrectionsRoute } from './list-corrections-route.ts';
import { mergeAttendeeRoute } from './merge-attendee-route.ts';
import { voidEntryRoute } from './void-entry-route.ts';

export function registerCorrectionRoutes(events: Profile): void {
  listCorrectionsRoute(events);
  voidEntryRoute(events);
  mergeAttendeeRoute(events);
}
