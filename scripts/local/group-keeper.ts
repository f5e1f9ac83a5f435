/**
 * Runs a program in the process group of its own that this process leads, and ends the whole group when the program ends or when the process that started this
 * one is gone, however that went: then its channel closes. Arguments: milliseconds that
 * the group has to end by itself, the program of Node and its arguments.
 */
import { spawn } from 'node:child_process';

const [wait_ms, ...program] = process.argv.slice(2);
const child = spawn(process.execPath, program, { stdio: 'inherit' });

let isStopping = false;
/** The group hears of it as one. Who does not end by itself is killed, this process included. */
const stop = (): void => {
  if (isStopping) return;
  isStopping = true;
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), Number(wait_ms));
};
process.on('SIGTERM', () => {
  isStopping = true;
});
process.once('disconnect', stop);
child.once('error', () => process.exit(1));
child.once('exit', (code) => {
  // What the program has started may still be there: nothing of the group stays.
  process.exitCode = code ?? 1;
  process.kill(-process.pid, 'SIGKILL');
});
