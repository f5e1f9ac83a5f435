import type { Profile } from '../../middleware/profile.ts';
import { registerCreateManualEntry } from './create-manual-entry.ts';
import { registerGetTimeline } from './get-timeline.ts';

export function registerTimelineRoutes(events: Profile): void {
  registerGetTimeline(events);
  registerCreateManualEntry(events);
}
