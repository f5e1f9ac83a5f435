import { rmSync } from 'node:fs';
import { PATHS } from './local/paths.ts';
import { findRunning } from './local/run-lock.ts';

/** `npm run reset`: empties .state, or STATE_DIR, unless a system runs on it. */
const running = findRunning();
if (running !== null) {
  console.error(
    `The exchange is running on port ${running.port}. Stop it first; one whose starter was killed is taken over by \`npm start\`.`,
  );
  process.exitCode = 1;
} else {
  rmSync(PATHS.state, { recursive: true, force: true });
  console.log(`${PATHS.shownState} is empty; the next \`npm start\` migrates and seeds again.`);
}
