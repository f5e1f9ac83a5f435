import type { Profile } from '../../middleware/profile.ts';
import { registerListCorrections } from './list-corrections.ts';
import { registerMergeAttendee } from './merge-attendee.ts';
import { registerVoidEntry } from './void-entry.ts';

export function registerCorrectionRoutes(events: Profile): void {
  registerListCorrections(events);
  registerVoidEntry(events);
  registerMergeAttendee(events);
}
