import { logOf } from '../process/log.ts';

export const log = logOf('hardware-module');
