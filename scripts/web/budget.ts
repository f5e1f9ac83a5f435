import { buildConsole } from './build-console.ts';
import { FIRST_LOAD_MAX, kilobytes } from './first-load.ts';

/** `npm run check:web`: fails where the console's first load is above its budget. */
const { firstLoad } = await buildConsole();
const words = `the first load of the console is ${kilobytes(firstLoad)} gzipped, of ${kilobytes(FIRST_LOAD_MAX)}`;
if (firstLoad > FIRST_LOAD_MAX) {
  console.error(words);
  process.exitCode = 1;
} else console.log(words);
