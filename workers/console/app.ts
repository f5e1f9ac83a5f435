import { createProfile, type Profile } from '../middleware/profile.ts';
import { callRoutes } from './call-routes.ts';
import type { LoadProfile } from './load-profile.ts';
import { openFeedRoute } from './open-feed-route.ts';
import { preferencesRoutes } from './preferences-routes.ts';
import { reportViolationRoute } from './report-violation-route.ts';
import { sessionRoutes } from './session-routes.ts';
import { newestIncidentRoute, statusRoute } from './status-route.ts';

/** The backend of the browser console: it holds the session, and calls the other profiles in its person's name (docs/design/console.md). */
export function createConsole(load: LoadProfile): Profile {
  const console = createProfile({
    name: 'console',
    title: 'Console',
    fieldNames: 'snake_case',
    description:
      'Backend of the browser console. A browser holds a cookie and no token. `/call/<profile>/<path>` is the call of another profile by whoever is signed in; what changes something is sent with `x-console: 1` from the console’s own origin.',
  });

  sessionRoutes(console, load);
  preferencesRoutes(console);
  callRoutes(console, load);
  openFeedRoute(console, load);
  reportViolationRoute(console);
  statusRoute(console);
  newestIncidentRoute(console);
  return console;
}
