import type { Profile } from '../../middleware/profile.ts';
import { createManualEntryRoute } from './create-manual-entry-route.ts';
import { getTimelineRoute } from './get-timeline-route.ts';

export function registerTimelineRoutes(events: Profile): void {
  getTimelineRoute(events);
  createManualEntryRoute(events);
}
