import { createApp } from './middleware/app.ts';

/** Answers what belongs to no profile: 404. */
export const unrouted = createApp({ name: 'none', fieldNames: 'camelCase' }, []);
