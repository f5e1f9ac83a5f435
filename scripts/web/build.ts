import { buildConsole } from './build-console.ts';
import { kilobytes } from './first-load.ts';

/** `npm run web:build`: the console into web/dist, where it is served from. Nothing is done where nothing has changed. */
const { isNew, firstLoad } = await buildConsole();
console.log(`${isNew ? 'built' : 'is built'}: the first load of the trade page is ${kilobytes(firstLoad)} gzipped`);
