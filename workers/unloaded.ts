import { createApp } from './middleware/app.ts';
import type { ProfileName } from './middleware/profile-name.ts';

/** Answers for a profile whose modules do not load, or for all (`none`) where settings are missing: as for any other bug, 500 with an error body and a line in the log. */
export function unloaded(name: ProfileName | 'none', reason: unknown) {
  const app = createApp({ name, fieldNames: 'camelCase' }, []);
  app.all('*', () => {
    throw reason instanceof Error ? reason : new Error(String(reason));
  });
  return app;
}
